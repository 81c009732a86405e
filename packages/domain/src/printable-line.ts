/** Control characters (newlines and NUL among them), Unicode's line breaks, and what was no Unicode when it was sent. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Cs}\ufffd]/u;

/** Whether a text can stand on one line of a log, a file or a page. */
export function isPrintableLine(text: string): boolean {
  return !UNPRINTABLE.test(text);
}
