/** Pattern for `like` that matches texts with this prefix. Wildcards in the prefix are escaped. */
export function prefixPattern(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
