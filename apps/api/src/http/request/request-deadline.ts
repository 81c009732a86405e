import { RequestTimeoutError } from '@innkeeper/domain';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';

/**
 * Answers 503 when the rest takes longer than `timeoutMs`. Work in progress continues: a write that had not committed
 * yet may still commit, as after a lost connection. Uploads extend the deadline once they are accepted.
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
