import { readFileSync, unlinkSync } from 'node:fs';

/**
 * Counts the changes of the node. Every host tool calls `record` right after each change that has become real (a
 * rename, a finished program, a sent signal). A reconcile of a converged account must not increase the count; the
 * metric and the tests read it.
 *
 * Crash trigger, for tests: if /run/innkeeper/crash-after contains a number N when the agent starts, the file is
 * deleted and the process kills itself with SIGKILL right after the Nth change. Only root can write there, and it works
 * once.
 */
export class Changes {
  #count = 0;
  readonly #crashAfter: number | undefined;
  readonly #crash: () => void;

  constructor(crashAfter?: number, crash: () => void = () => process.kill(process.pid, 'SIGKILL')) {
    this.#crashAfter = crashAfter;
    this.#crash = crash;
  }

  get count(): number {
    return this.#count;
  }

  record(): void {
    this.#count += 1;
    if (this.#count === this.#crashAfter) this.#crash();
  }
}

/** Reads and deletes the crash trigger. Undefined when there is none. */
export function takeCrashTrigger(path = '/run/innkeeper/crash-after'): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  unlinkSync(path);
  const after = Number(text.trim());
  return Number.isSafeInteger(after) && after > 0 ? after : undefined;
}
