/** Control characters (newlines and NUL among them), Unicode's line breaks and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Cs}]/u;

/** Whether a text can stand on one line of a log, a file or a page. */
export function isPrintableLine(text: string): boolean {
  return !UNPRINTABLE.test(text);
}
