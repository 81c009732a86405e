/** Time as the reconciler sees it, so that tests can hold it. */
export interface Clock {
  /** Milliseconds that only grow; for measuring. */
  now(): number;
  /** Runs `task` once after `delayMs`, unless the returned function is called before. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
