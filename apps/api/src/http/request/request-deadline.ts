import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { HttpError } from '../error-response.ts';

/** The name is what tells the panel's page apart from other refusals. */
class RequestTimeoutError extends HttpError {
  override name = 'RequestTimeoutError';

  constructor() {
    super(503, 'The request took too long.');
  }
}

/**
 * Answers 503 when the rest takes longer than `timeoutMs`. What was begun goes on: a write that had its
 * commit ahead of it may still take place, as after a lost connection. Uploads ask for more time, once they
 * are known to be wanted.
 */
export function requestDeadline(timeoutMs: number): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    const within = (ms: number) => setTimeout(() => reject(new RequestTimeoutError()), ms);
    let timer = within(timeoutMs);
    c.set('extendDeadline', (ms) => {
      clearTimeout(timer);
      timer = within(ms);
    });
    next().then(resolve, reject);
    try {
      await done;
    } finally {
      clearTimeout(timer);
    }
  };
}
