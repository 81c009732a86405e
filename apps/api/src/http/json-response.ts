import { formatTimestamp } from '@innkeeper/contract';

/** What is read here is for one caller, now, and is no document. */
const everyAnswer = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * An answer before it is a response. That is made once, when all headers are known: one to which headers are
 * added afterwards costs several times as much.
 */
export interface JsonAnswer {
  status: number;
  text: string;
}

/** Every Date in `body` is written as the API writes timestamps. */
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
 * The value with text for every Date; what holds none is not copied. `JSON.stringify` with a replacer would
 * ask about every value, and takes twice the time.
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
