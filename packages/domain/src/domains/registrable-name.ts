import { getDomain } from 'tldts';

/**
 * The name that is bought from a registry and contains this one (`example.co.uk` for `shop.example.co.uk`). Undefined
 * for a public suffix itself (`co.uk`), which is shared by all names below it. Only the suffixes of registries count,
 * not the list's private section: `github.io` is an ordinary name of its owner, who may host it here.
 */
export function findRegistrableName(name: string): string | undefined {
  return (
    getDomain(name, { allowPrivateDomains: false, extractHostname: false, validateHostname: false }) ??
    undefined
  );
}
