/**
 * Control characters (including newlines and NUL), Unicode's line breaks, and characters that were not valid Unicode.
 */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Cs}\ufffd]/u;

/** Whether a text can be shown on one line of a log, a file or a page. */
export function isPrintableLine(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** Whether a text has only printable lines. Tabs and line ends are allowed. */
export function isPrintableText(text: string): boolean {
  return isPrintableLine(text.replaceAll(/[\t\r\n]/g, ''));
}
