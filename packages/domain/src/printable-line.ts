/** Control characters (newlines and NUL among them), Unicode's line breaks, and what was no Unicode when it was sent. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Cs}\ufffd]/u;

/** Whether a text can stand on one line of a log, a file or a page. */
export function isPrintableLine(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** Whether a text has lines that each can stand on one: tabs and line ends may be in it. */
export function isPrintableText(text: string): boolean {
  return isPrintableLine(text.replaceAll(/[\t\r\n]/g, ''));
}
