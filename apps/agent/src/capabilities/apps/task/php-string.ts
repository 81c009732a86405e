/**
 * A text as a PHP string: between single quotes nothing but the quote and the backslash has a meaning. Throws for
 * what has no business in a setting.
 */
export function phpString(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('A control character cannot stand in a PHP setting.');
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
