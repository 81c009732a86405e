/** What `like` compares with, for texts that start so: nothing in the prefix is a wildcard. */
export function prefixPattern(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
