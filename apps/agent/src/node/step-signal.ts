import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The signal that aborts the running step. It reaches everything that the step starts and awaits without being passed
 * as an argument, so no tool can forget it (docs/design/reconcile-and-ledger.md).
 */
const steps = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs a step. Everything that it starts and awaits ends when the signal is aborted. */
export function runStep<T>(signal: AbortSignal | undefined, step: () => Promise<T>): Promise<T> {
  return steps.run(signal, step);
}

/** Runs work that several steps share. It continues when one of them is aborted. */
export function runShared<T>(work: () => T): T {
  return steps.run(undefined, work);
}

/** Returns the signal of the current step. Undefined outside a step, and in shared work. */
export function stepSignal(): AbortSignal | undefined {
  return steps.getStore();
}
