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
