/**
 * A hosting username as the API accepts it, after lowercasing. The contract says the same with the API's own sentences
 * (`packages/contract/src/accounts/requests.ts`). Names that are never given are in `reserved-usernames.ts`; names that
 * are taken, or that a hosting server has itself, in `packages/services/src/accounts/check-username.ts`.
 */
export const USERNAME_PATTERN = /^[a-z0-9_-]{3,16}$/;

/** The Linux user of an account: the username, with the prefix `_` if it does not start with a letter. */
export const LINUX_USER_PATTERN = /^(?:[a-z][a-z0-9_-]{2,15}|_[a-z0-9_-]{3,16})$/;

/** The Linux user of a hosting username (already lowercase and valid). */
export function linuxUserFor(username: string): string {
  return /^[a-z]/.test(username) ? username : `_${username}`;
}

/** The home folder of an account's Linux user. */
export function homePath(linuxUser: string): string {
  return `/home/${linuxUser}`;
}

/** The folder of a domain's site, relative to its account's home. */
export function siteFolder(domainName: string): string {
  return `domains/${domainName}/public_html`;
}

/** The folder of a domain's site in its account's home. */
export function documentRoot(linuxUser: string, domainName: string): string {
  return `${homePath(linuxUser)}/${siteFolder(domainName)}`;
}
