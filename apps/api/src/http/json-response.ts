import { formatTimestamp } from '@innkeeper/contract';

/** What is read here is for one caller, now, and is no document. */
const everyAnswer = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** A JSON answer; every Date in `body` is written as the API writes timestamps. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body, writeTimestamp), {
    status,
    headers: { ...everyAnswer, ...headers },
  });
}

/** `value` has been through Date's own toJSON already; the holder still has the Date. */
function writeTimestamp(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key];
  return held instanceof Date ? formatTimestamp(held) : value;
}
