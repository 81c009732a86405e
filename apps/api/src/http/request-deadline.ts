import type { MiddlewareHandler } from 'hono';
import type { Env } from './env.ts';
import { HttpError } from './error-response.ts';

/**
 * Answers 503 when the rest takes longer than `timeoutMs`. What was begun goes on: a write that had its
 * commit ahead of it may still take place, as after a lost connection.
 */
export function requestDeadline(timeoutMs: number): MiddlewareHandler<Env> {
  return async (_c, next) => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new HttpError(503, 'The request took too long.')), timeoutMs);
    try {
      await Promise.race([next(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };
}
