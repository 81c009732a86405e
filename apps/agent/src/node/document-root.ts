/** Path of the document root of a domain, relative to the home. */
export function documentRootOf(domainName: string): string {
  return `domains/${domainName}/public_html`;
}
