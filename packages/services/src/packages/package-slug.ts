/** Converts a name for a URL: `Größe XL!` becomes `grosse-xl`. Empty if the name has no letter or digit of a-z, 0-9. */
export function packageSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 100)
    .replace(/-$/, '');
}
