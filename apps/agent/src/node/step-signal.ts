import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The signal that ends the step under way. It reaches all that the step starts and waits for without being passed
 * along, so that no tool can forget it (docs/design/reconcile-and-ledger.md).
 */
const steps = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs a step: what it starts and waits for ends when the signal is aborted. */
export function runStep<T>(signal: AbortSignal | undefined, step: () => Promise<T>): Promise<T> {
  return steps.run(signal, step);
}

/** Runs work that several steps share: it goes on when one of them is ended. */
export function runShared<T>(work: () => T): T {
  return steps.run(undefined, work);
}

/** Of the step that asks; undefined outside of one, and in work that steps share. */
export function stepSignal(): AbortSignal | undefined {
  return steps.getStore();
}
