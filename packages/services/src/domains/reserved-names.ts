import { type Database, findDomainsAround, findNodeHosts } from '@innkeeper/db';
import { namesAbove, readDomainName, reversedName } from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** A domain of an account that equals a name of the provider, or is its parent or subdomain. */
export interface ReservedOverlap {
  domain_name: string;
  account_username: string;
  reserved: string;
}

const LISTED = 50;

/** The names of the configuration, and the host names and addresses of nodes that are domain names. */
export async function findReservedNames(
  db: Kysely<Database>,
  configured: readonly string[],
): Promise<string[]> {
  const hosts = (await findNodeHosts(db)).flatMap(({ address, hostname }) => [address, hostname ?? '']);
  const names = hosts.map((host) => readDomainName(host)).filter((name) => name !== undefined);
  return [...new Set([...configured, ...names])];
}

/** The reserved name that a name equals, or of which it is a parent or subdomain. Undefined if there is none. */
export function overlappedBy(name: string, reserved: readonly string[]): string | undefined {
  return reserved.find((other) => name === other || name.endsWith(`.${other}`) || other.endsWith(`.${name}`));
}

/**
 * Domains that overlap reserved names, at most 50. They existed before the name was reserved, or an admin allowed them.
 */
export async function listReservedOverlaps(
  db: Kysely<Database>,
  configured: readonly string[],
): Promise<ReservedOverlap[]> {
  return await findOverlapsOf(db, await findReservedNames(db, configured));
}

/** The same for these names only. Names that are not domain names are ignored. */
export async function findOverlapsOf(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<ReservedOverlap[]> {
  const reserved = names.map((name) => readDomainName(name)).filter((name) => name !== undefined);
  if (reserved.length === 0) return [];
  const found = await findDomainsAround(db, {
    at: reserved.flatMap((name) => [name, ...namesAbove(name)]).map(reversedName),
    below: reserved.map(reversedName),
    limit: LISTED,
  });
  return found.map((domain) => ({ ...domain, reserved: overlappedBy(domain.domain_name, reserved) ?? '' }));
}

/** For the log and for admins. */
export function overlapSentence({ domain_name, account_username, reserved }: ReservedOverlap): string {
  return `The domain ${domain_name} of the account ${account_username} overlaps the reserved name ${reserved}: its owner can serve pages and get certificates under it.`;
}
