/**
 * Turns single requests into batches: requests that come while a batch runs (or in the same tick) make
 * the next batch together. Batches never overlap. `runBatch` settles each of its requests itself.
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

  return (input) =>
    new Promise<Output>((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!running) void drain();
    });
}
