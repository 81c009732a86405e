/**
 * Encodes a text as a single-quoted PHP string, in which only the quote and the backslash have a meaning. Throws for
 * characters that are not allowed in a setting.
 */
export function phpString(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('A control character cannot stand in a PHP setting.');
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
