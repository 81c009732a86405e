import { getDomain } from 'tldts';

/**
 * The name that is bought from a registry and holds this one (`example.co.uk` of `shop.example.co.uk`);
 * undefined for a public suffix itself (`co.uk`), which belongs to everybody below it. Only the suffixes of
 * registries count, not the list's private section: `github.io` is a name like any other to whoever
 * owns it, and that owner may host it here.
 */
export function findRegistrableName(name: string): string | undefined {
  return (
    getDomain(name, { allowPrivateDomains: false, extractHostname: false, validateHostname: false }) ??
    undefined
  );
}
