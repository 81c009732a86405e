/**
 * The sites' access log, as `log_format innkeeper` writes it. All counted fields are at the start of a line, before any
 * untrusted field. nginx escapes newlines and quotes in the untrusted fields: no host, path or header can start a new
 * line or change the account of a line. The host is the first untrusted field. Lines of an earlier release have neither
 * status nor host at that place.
 */
const FRONT =
  /^\{"msec":"(\d{10})\.\d{3}","uid":"(\d{5,10})?","sent":(\d{1,15}),"(?:status":(\d{3}),"(?:host":"([a-z0-9.-]{1,253})",")?)?/;
const LONGEST_FRONT = 400;
const NEWLINE = 0x0a;
const BRACE = 0x7d;

/**
 * A finished request: its end in Unix seconds, the bytes sent, including headers, the status of the answer (0: unknown),
 * and the host that the visitor asked for, in lower case. The host can be any name that leads to a site of the account.
 */
export type CountRequest = (
  uid: number,
  endedAt: number,
  bytesSent: number,
  status: number,
  host: string | undefined,
) => void;

/**
 * Counts the requests of complete lines that belong to an account. Returns the number of lines that do not match
 * nginx's format. Those are skipped.
 */
export function countLines(text: Buffer, count: CountRequest): number {
  let refused = 0;
  let start = 0;
  for (;;) {
    const end = text.indexOf(NEWLINE, start);
    if (end < 0) return refused;
    const front = FRONT.exec(text.toString('latin1', start, Math.min(end, start + LONGEST_FRONT)));
    if (front === null || text[end - 1] !== BRACE) refused += 1;
    else if (front[2] !== undefined)
      count(Number(front[2]), Number(front[1]), Number(front[3]), Number(front[4] ?? 0), front[5]);
    start = end + 1;
  }
}

/** Returns how many of these bytes are complete lines. */
export function wholeLines(text: Buffer): number {
  return text.lastIndexOf(NEWLINE) + 1;
}
