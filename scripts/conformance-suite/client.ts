import { setTimeout as delay } from 'node:timers/promises';
import { Answer } from './answer.ts';

export interface Request {
  method: string;
  /** Path below the base URL, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** A string, a form or bytes are sent unchanged; anything else as JSON. */
  body?: unknown;
  /** Returns the answer 429 and does not wait for the end of the limit. */
  impatient?: boolean;
}

/** State and callbacks that all clients of a run share. */
export interface Wire {
  baseUrl: string;
  /** Aborts waits and requests. */
  signal: AbortSignal;
  /** Called before a wait for a rate limit. */
  onPause(seconds: number): void;
  onAnswer(answer: Answer): void;
}

const REQUEST_TIMEOUT_MS = 60_000;
const LONGEST_PAUSE_S = 120;

/**
 * An HTTP client with one token, or without one. After a 429 it waits as long as `Retry-After` says (one minute if the
 * header is missing) and retries: a rate limit slows a run down and makes nothing fail.
 */
export class Client {
  private readonly wire: Wire;
  private readonly token: string | undefined;

  constructor(wire: Wire, token?: string) {
    this.wire = wire;
    this.token = token;
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send({ method: 'GET', path, ...(headers && { headers }) });
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send({ method: 'POST', path, body, ...(headers && { headers }) });
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send({ method: 'PATCH', path, body });
  }

  delete(path: string): Promise<Answer> {
    return this.send({ method: 'DELETE', path });
  }

  async send(request: Request): Promise<Answer> {
    for (;;) {
      const answer = await this.once(request);
      this.wire.onAnswer(answer);
      if (answer.status !== 429 || request.impatient) return answer;
      const said = Number(answer.headers.get('retry-after') ?? 60);
      const seconds = Number.isFinite(said) ? Math.min(Math.max(said, 1), LONGEST_PAUSE_S) : 60;
      this.wire.onPause(seconds);
      await delay(seconds * 1_000, undefined, { signal: this.wire.signal });
    }
  }

  private async once({ method, path, headers, body }: Request): Promise<Answer> {
    const { payload, type } = encode(body);
    // The answers of the application itself are checked, so a redirect is an answer like any other.
    const response = await fetch(this.wire.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
      signal: AbortSignal.any([this.wire.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    return new Answer(
      `${method} ${path.split('?')[0]}`,
      response.status,
      response.headers,
      await response.text(),
    );
  }
}

function encode(body: unknown): { payload?: string | FormData | URLSearchParams; type?: string } {
  if (body === undefined) return {};
  if (body instanceof FormData || body instanceof URLSearchParams) return { payload: body };
  return { payload: typeof body === 'string' ? body : JSON.stringify(body), type: 'application/json' };
}
