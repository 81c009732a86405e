/**
 * Runs `run` about every `everyMs`, first after that time and never twice at once. Instances that start together drift
 * apart. `run` never rejects, and ends early when `isStopped`.
 */
export function repeat(
  everyMs: number,
  run: (isStopped: () => boolean) => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  const schedule = () => {
    timer = setTimeout(
      () => {
        running = run(() => isStopped).then(() => {
          if (!isStopped) schedule();
        });
      },
      everyMs * (0.75 + Math.random() / 2),
    );
    timer.unref();
  };
  schedule();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
