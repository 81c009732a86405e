import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Handler } from 'hono';
import type { Env } from '../http/env.ts';

const compress = promisify(gzip);

/**
 * Serves a text that does not change while the process runs. It is built at the first request and cached together with
 * its compressed form. A client that already has it is not sent it again.
 */
export function staticText(
  type: string,
  make: () => string,
  headers: Record<string, string> = {},
): Handler<Env> {
  let kept: Promise<{ plain: Buffer; gzipped: Buffer; etag: string }> | undefined;
  const prepare = async () => {
    const plain = Buffer.from(make());
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return { plain, gzipped: await compress(plain), etag: `W/"${hash}"` };
  };
  return async (c) => {
    kept ??= prepare();
    const { plain, gzipped, etag } = await kept;
    const answer = {
      'Content-Type': type,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      Vary: 'Accept-Encoding',
      ETag: etag,
      ...headers,
    };
    if (names(c.req.header('If-None-Match')).some((name) => name === '*' || weak(name) === etag))
      return new Response(null, { status: 304, headers: answer });
    if (!names(c.req.header('Accept-Encoding')).some((name) => /^gzip(?!.*;\s*q=0(\.0*)?$)/i.test(name)))
      return new Response(new Uint8Array(plain), { headers: answer });
    return new Response(new Uint8Array(gzipped), { headers: { ...answer, 'Content-Encoding': 'gzip' } });
  };
}

function names(header: string | undefined): string[] {
  return (header ?? '').split(',').map((name) => name.trim());
}

function weak(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`;
}
