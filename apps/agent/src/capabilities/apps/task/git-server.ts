import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { allowlistAdmits, gitHostOf, isPublicAddress, isSshRepository } from '@innkeeper/domain';
import { TaskFailure } from './task-failure.ts';

export interface GitServer {
  readonly host: string;
  /** The address to connect to. */
  readonly address: string;
  readonly port: number;
}

/**
 * Finds the server of a repository. The host name is resolved here, once. Every address of the host must be public, or
 * in a network that the operator allows. Git gets the first address, so a second DNS answer cannot redirect the
 * connection.
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
