import { nestBracketedKeys } from '@innkeeper/contract';
import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { HttpError } from '../error-response.ts';

const MAX_BYTES = 1024 * 1024;
const tooLarge = () => new HttpError(413, 'The POST data is too large.');

/**
 * Reads the fields of a body. A form becomes an object, an empty body `{}`; any other content type is parsed as JSON.
 * Throws HttpError 413 over 1 MiB, and SyntaxError for invalid JSON.
 */
export async function readBody(c: Context<Env>): Promise<unknown> {
  const text = await readText(c.req.raw).catch(refuseBroken);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '');
  if (isForm) return nestBracketedKeys(new URLSearchParams(text));
  return JSON.parse(text.trim() || '{}');
}

/** A body that ends too early, or in the middle of its encoding, is the client's fault. */
function refuseBroken(cause: unknown): never {
  throw cause instanceof HttpError ? cause : new HttpError(400, 'Bad Request');
}

/** Invalid UTF-8 becomes U+FFFD, which no field accepts. */
async function readText(request: Request): Promise<string> {
  const length = request.headers.get('Content-Length');
  if (length !== null) {
    if (Number(length) > MAX_BYTES) throw tooLarge();
    return await request.text();
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
