/**
 * Limits concurrency: runs at most `places` tasks at once, the others wait in order of arrival (FIFO). If `maxWaiting`
 * tasks wait already, throws the result of `refuse`.
 */
export function takeTurns(
  places: number,
  { maxWaiting, refuse }: { maxWaiting: number; refuse: () => Error } = unbounded,
): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (task) => {
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) throw refuse();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

const unbounded = { maxWaiting: Number.POSITIVE_INFINITY, refuse: () => new Error('The queue is full.') };
