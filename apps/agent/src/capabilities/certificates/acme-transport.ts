import { Agent, type RequestOptions, request } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { axios } from 'acme-client';
import { z } from 'zod';
import { AuthorityError } from './authority.ts';

/**
 * HTTP transport for acme-client: HTTPS only, no proxy, no redirect, with limits for time and size. An error response
 * ends the request with the authority's own message. acme-client would retry by itself, and lose the authority's
 * Retry-After.
 */
type Adapter = Extract<typeof axios.defaults.adapter, (...args: never[]) => unknown>;

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 1_048_576;
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;
const PROBLEM = 'urn:ietf:params:acme:error:';

export function askAuthority(caPem: string | undefined): Adapter {
  const ca = caPem === undefined ? undefined : [...rootCertificates, caPem];
  const agent = new Agent({ keepAlive: false, ...(ca === undefined ? {} : { ca }) });
  return async (config) => {
    const url = new URL(config.url ?? '');
    if (url.protocol !== 'https:')
      throw new AuthorityError(`${url.origin} is not asked: it is not https.`, { refused: false });
    const body = typeof config.data === 'string' ? config.data : undefined;
    const { status, headers, text } = await exchange(
      url,
      {
        agent,
        method: (config.method ?? 'get').toUpperCase(),
        headers: { ...(config.headers.toJSON() as Record<string, string>) },
      },
      body,
    );
    if (status >= 400) {
      const problem = problemOf(text);
      // acme-client retries this request with the nonce of the response.
      if (problem.type !== 'badNonce') throw errorOf(url, status, problem, headers['retry-after']);
    }
    return { data: text, status, statusText: '', headers, config, request: undefined };
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(
        new AuthorityError(`${url.host} could not be asked: ${cause.message}`, { refused: false, cause }),
      );
    const call = request(
      url,
      { ...options, signal: AbortSignal.timeout(TIMEOUT_MS), agent: options.agent! },
      (answer) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MOST_BYTES) call.destroy(new Error('its answer is too long'));
          else chunks.push(chunk);
        });
        answer.on('error', fail);
        answer.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
          );
          resolve({
            status: answer.statusCode ?? 0,
            headers,
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      },
    );
    call.on('error', fail);
    call.end(body);
  });
}

interface Problem {
  readonly type: string;
  readonly detail: string;
}

const problemSchema = z.object({ type: z.string().catch(''), detail: z.string().catch('') });

function problemOf(text: string): Problem {
  try {
    const { type, detail } = problemSchema.parse(JSON.parse(text));
    return { type: type.startsWith(PROBLEM) ? type.slice(PROBLEM.length) : '', detail };
  } catch {
    return { type: '', detail: '' };
  }
}

function errorOf(
  url: URL,
  status: number,
  { type, detail }: Problem,
  retryAfter: string | undefined,
): AuthorityError {
  const words = detail === '' ? `${url.host} answered with ${status}.` : detail.slice(0, 1_500);
  const asksToWait = type === 'rateLimited' || status === 429 || status === 503;
  return new AuthorityError(words, {
    refused: status < 500 && detail !== '',
    waitMs: asksToWait ? waitOf(retryAfter) : undefined,
    status,
    type,
  });
}

/** Parses Retry-After, in seconds or as a date, to ms from now; undefined when it is missing or invalid. */
export function waitOf(retryAfter: string | undefined, now = Date.now()): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : undefined;
}
