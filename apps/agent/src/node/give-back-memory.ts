import type { Clock } from './clock.ts';

export interface GiveBackMemoryDeps {
  /** Frees what the heap does not use, pages kept for later included; undefined where Node.js has no `--expose-gc`. */
  collect: (() => void) | undefined;
  /** Of this process: bytes in memory, and ms of CPU since its start. */
  measure: () => { residentBytes: number; cpuMs: number };
  clock: Clock;
}

const EVERY_MS = 30_000;
/** Of one core: more than looking for drift takes, less than changes do. */
const REST_SHARE = 0.2;
const WORTH_BYTES = 16 * 1_024 * 1_024;

/**
 * V8 keeps the pages that it has emptied, and nobody knows for how long: a fifth of the agent's memory after thousands
 * of accounts were made. Gives them back whenever there is little to do and there are enough of them: nothing else
 * happens for a tenth of a second then. Returns what ends it.
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

/** The deps of a process that runs. */
export const ofThisProcess: Pick<GiveBackMemoryDeps, 'collect' | 'measure'> = {
  collect:
    globalThis.gc && (() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })),
  measure: () => {
    const { user, system } = process.cpuUsage();
    return { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 };
  },
};
