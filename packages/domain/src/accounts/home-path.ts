/** The home of an account's Linux user. */
export function homePath(linuxUser: string): string {
  return `/home/${linuxUser}`;
}

/** Where a domain's site lies in its account's home. */
export function documentRoot(linuxUser: string, domainName: string): string {
  return `${homePath(linuxUser)}/domains/${domainName}/public_html`;
}
