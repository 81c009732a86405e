import type { Clock } from './clock.ts';

export interface GiveBackMemoryDeps {
  /**
   * Frees unused heap memory, including the pages that V8 retains. Undefined where Node.js runs without `--expose-gc`.
   */
  collect: (() => void) | undefined;
  /** Values of this process: bytes in memory, and ms of CPU time since its start. */
  measure: () => { residentBytes: number; cpuMs: number };
  clock: Clock;
}

const EVERY_MS = 30_000;
/** Share of one core: more than checking for drift uses, less than changes use. */
const REST_SHARE = 0.2;
const WORTH_BYTES = 16 * 1_024 * 1_024;

/**
 * V8 retains emptied pages for an unknown time: a fifth of the agent's memory after thousands of accounts were created.
 * This gives them back to the system when there is little to do and enough of them; the process is blocked for a tenth
 * of a second then. Returns a function that stops it.
 */
export function giveBackMemory({ collect, measure, clock }: GiveBackMemoryDeps): () => void {
  if (collect === undefined) return () => {};
  let kept = 0;
  const wait = () => {
    const [startedAt, cpuMsBefore] = [clock.now(), measure().cpuMs];
    return clock.after(EVERY_MS, () => {
      const { residentBytes, cpuMs } = measure();
      const isAtRest = cpuMs - cpuMsBefore < (clock.now() - startedAt) * REST_SHARE;
      if (isAtRest && residentBytes - kept > WORTH_BYTES) {
        collect();
        kept = measure().residentBytes;
      }
      cancel = wait();
    });
  };
  let cancel = wait();
  return () => cancel();
}

/** The dependencies for the running process. */
export const ofThisProcess: Pick<GiveBackMemoryDeps, 'collect' | 'measure'> = {
  collect:
    globalThis.gc && (() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })),
  measure: () => {
    const { user, system } = process.cpuUsage();
    return { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 };
  },
};
