import type { CountedHits } from '@innkeeper/db';

/** Position of a request in its caller's window. */
export interface Standing {
  limit: number;
  remaining: number;
  /** Undefined: the request is admitted. */
  refused: { retryAfterS: number; resetsAtS: number } | undefined;
}

export interface RateLimiter {
  /** Counts one request. Throws the errors of the database. */
  hit(bucket: string, limit: number): Promise<Standing>;
}

export type CountHits = (hits: { bucket: string; hits: number; limit: number }) => Promise<CountedHits>;

interface Waiting {
  resolve: (standing: Standing) => void;
  reject: (error: unknown) => void;
}

interface FullWindow {
  countedAtMs: number;
  counted: CountedHits;
}

const MAX_BATCH = 1_000;
const MAX_FULL_WINDOWS = 10_000;

/**
 * Counts requests exactly in the database that all instances share, at a low cost for the database:
 *
 * - While one statement for a caller is in progress, the caller's further requests wait. The next statement counts them
 *   together. So an instance never has more than one statement for a caller's row at the same time.
 * - Hits only grow until the window ends. A caller over the limit is refused from memory until 1 s before the end, so
 *   floods cost the database nothing.
 */
export function createRateLimiter(
  countHits: CountHits,
  clock: () => number = performance.now.bind(performance),
): RateLimiter {
  const queues = new Map<string, Waiting[]>();
  const fullWindows = new Map<string, FullWindow>();

  const count = async (bucket: string, limit: number, batch: readonly Waiting[]): Promise<void> => {
    const countedAtMs = clock();
    try {
      const counted = await countHits({ bucket, hits: batch.length, limit });
      if (counted.before + batch.length >= limit) remember(fullWindows, bucket, { countedAtMs, counted });
      for (const [index, { resolve }] of batch.entries())
        resolve(standingOf(counted, counted.before + index, limit));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const countAll = async (bucket: string, limit: number, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await count(bucket, limit, queue.splice(0, MAX_BATCH));
    queues.delete(bucket);
  };

  return {
    hit: (bucket, limit) => {
      const full = fullWindows.get(bucket);
      if (full !== undefined) {
        const elapsedS = (clock() - full.countedAtMs) / 1000;
        const retryAfterS = Math.ceil(full.counted.retryAfterS - elapsedS);
        if (retryAfterS > 1)
          return Promise.resolve(standingOf({ ...full.counted, retryAfterS }, limit, limit));
        fullWindows.delete(bucket);
      }
      const { promise, resolve, reject } = Promise.withResolvers<Standing>();
      const waiting = queues.get(bucket);
      if (waiting !== undefined) {
        waiting.push({ resolve, reject });
      } else {
        const queue = [{ resolve, reject }];
        queues.set(bucket, queue);
        void countAll(bucket, limit, queue);
      }
      return promise;
    },
  };
}

function standingOf(
  { retryAfterS, resetsAtS }: Pick<CountedHits, 'retryAfterS' | 'resetsAtS'>,
  before: number,
  limit: number,
): Standing {
  return before < limit
    ? { limit, remaining: limit - before - 1, refused: undefined }
    : { limit, remaining: 0, refused: { retryAfterS, resetsAtS } };
}

function remember(windows: Map<string, FullWindow>, bucket: string, window: FullWindow): void {
  const oldest = windows.keys().next().value;
  if (windows.size >= MAX_FULL_WINDOWS && oldest !== undefined) windows.delete(oldest);
  windows.delete(bucket);
  windows.set(bucket, window);
}
