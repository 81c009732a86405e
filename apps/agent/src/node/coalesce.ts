import { runShared, stepSignal } from './step-signal.ts';

/**
 * Combines single requests into batches: requests that arrive while a batch runs (or in the same tick) form the next
 * batch. Batches never overlap. `runBatch` resolves or rejects each of its requests. A request whose step is aborted
 * leaves the queue. Once its batch runs, the step waits for the batch: nothing is written after the step has ended.
 */
export interface Request<Input, Output> {
  readonly input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export function coalesce<Input, Output>(
  runBatch: (requests: readonly Request<Input, Output>[]) => Promise<void>,
): (input: Input) => Promise<Output> {
  let waiting: Request<Input, Output>[] = [];
  let running = false;

  async function drain(): Promise<void> {
    running = true;
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await runBatch(batch);
      } catch (error) {
        for (const request of batch) request.reject(error);
      }
    }
    running = false;
  }

  return async (input) => {
    const step = stepSignal();
    step?.throwIfAborted();
    let leave = () => {};
    try {
      return await new Promise<Output>((resolve, reject) => {
        const request = { input, resolve, reject };
        leave = () => {
          if (!waiting.includes(request)) return;
          waiting = waiting.filter((other) => other !== request);
          reject(step?.reason);
        };
        step?.addEventListener('abort', leave, { once: true });
        waiting.push(request);
        if (!running) void runShared(drain);
      });
    } finally {
      step?.removeEventListener('abort', leave);
    }
  };
}
