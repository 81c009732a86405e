/** The reconciler's clock. Tests replace it with a fake. */
export interface Clock {
  /** Monotonic time in ms, for measuring durations. */
  now(): number;
  /** Runs `task` once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
