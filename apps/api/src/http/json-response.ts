import { formatTimestamp } from '@innkeeper/contract';

/** An answer is for one caller and for now: it must not be cached, and a browser must not treat it as a document. */
const everyAnswer = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * An answer before it becomes a response. The response is created once, when all headers are known: adding headers to
 * an existing response costs several times as much.
 */
export interface JsonAnswer {
  status: number;
  text: string;
}

/** Every Date in `body` is written in the API's timestamp format. */
export function jsonAnswer(status: number, body: unknown): JsonAnswer {
  return { status, text: JSON.stringify(withTimestamps(body)) };
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return responseOf(jsonAnswer(status, body), headers);
}

export function responseOf({ status, text }: JsonAnswer, headers: Record<string, string>): Response {
  return new Response(text, { status, headers: { ...everyAnswer, ...headers } });
}

/**
 * Returns the value with text for every Date. A value without a Date is not copied. `JSON.stringify` with a replacer
 * would call it for every value and takes twice the time.
 */
function withTimestamps(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return formatTimestamp(value);
  if (Array.isArray(value)) return value.map(withTimestamps);
  const parts = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(parts)) {
    const part = parts[key];
    if (typeof part !== 'object' || part === null) continue;
    const written = withTimestamps(part);
    if (written === part) continue;
    copy ??= { ...parts };
    copy[key] = written;
  }
  return copy ?? value;
}
