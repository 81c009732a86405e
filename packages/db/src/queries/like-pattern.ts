/** Pattern for `like` that matches texts with this prefix. Wildcards in the prefix are escaped. */
export function prefixPattern(prefix: string): string {
  return `${escaped(prefix)}%`;
}

/** Pattern for `like` that matches texts that contain this one. Wildcards in the text are escaped. */
export function substringPattern(text: string): string {
  return `%${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
