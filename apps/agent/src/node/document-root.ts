/** Where the site of a domain lies, below the home. */
export function documentRootOf(domainName: string): string {
  return `domains/${domainName}/public_html`;
}
