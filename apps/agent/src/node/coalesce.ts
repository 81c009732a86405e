import { runShared, stepSignal } from './step-signal.ts';

/**
 * Turns single requests into batches: requests that come while a batch runs (or in the same tick) make
 * the next batch together. Batches never overlap. `runBatch` settles each of its requests itself. A request whose step is ended leaves
 * the queue; once its batch runs, the step waits for the batch: nothing is written after the step.
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
