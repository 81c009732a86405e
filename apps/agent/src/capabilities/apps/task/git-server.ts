import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { allowlistAdmits, gitHostOf, isPublicAddress, isSshRepository } from '@innkeeper/domain';
import { TaskFailure } from './task-failure.ts';

export interface GitServer {
  readonly host: string;
  /** The one that is connected to. */
  readonly address: string;
  readonly port: number;
}

/**
 * Where a repository is asked for: its host is resolved here, once; every address that it has must be a public one or in
 * a network that the operator allows; and the first is the one that Git is given, so that no second answer of a
 * name server can lead elsewhere.
 */
export async function findGitServer(
  repository: string,
  allowedNetworks: readonly string[],
): Promise<GitServer> {
  const host = gitHostOf(repository);
  if (host === undefined) throw new TaskFailure('The URL of the repository is invalid.');
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (allowedNetworks.length > 0 && allowlistAdmits(allowedNetworks, address));
  const [address] = addresses;
  if (address === undefined || !addresses.every(isAllowed))
    throw new TaskFailure(`${host} is not at a public address.`);
  const port = /^[a-z]+:\/\/[^/]*:(\d+)(?:\/|$)/.exec(repository)?.[1];
  return { host, address, port: Number(port ?? (isSshRepository(repository) ? '22' : '443')) };
}

async function resolve(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new TaskFailure(`${host} has no address, or none can be found now.`, { retry: true });
  }
}
