/**
 * The log of the sites, as `log_format innkeeper` writes it. What is counted stands at the front of a line, before
 * anything that a visitor has a say in, and nginx escapes newlines and quotes in all that follows: no host, path or
 * header can begin a line or change whose it is.
 */
const FRONT = /^\{"msec":"(\d{10})\.\d{3}","uid":"(\d{5,10})?","sent":(\d{1,15}),"/;
const LONGEST_FRONT = 80;
const NEWLINE = 0x0a;
const BRACE = 0x7d;

/** A request that has ended: when, in Unix seconds, and what it sent, headers included. */
export type CountRequest = (uid: number, endedAt: number, bytesSent: number) => void;

/**
 * Counts the requests of whole lines that belong to an account. Gives how many lines are not what nginx writes:
 * they are passed over.
 */
export function countLines(text: Buffer, count: CountRequest): number {
  let refused = 0;
  let start = 0;
  for (;;) {
    const end = text.indexOf(NEWLINE, start);
    if (end < 0) return refused;
    const front = FRONT.exec(text.toString('latin1', start, Math.min(end, start + LONGEST_FRONT)));
    if (front === null || text[end - 1] !== BRACE) refused += 1;
    else if (front[2] !== undefined) count(Number(front[2]), Number(front[1]), Number(front[3]));
    start = end + 1;
  }
}

/** How many of these bytes are whole lines. */
export function wholeLines(text: Buffer): number {
  return text.lastIndexOf(NEWLINE) + 1;
}
