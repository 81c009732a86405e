import type { Logger } from 'pino';
import { repeat } from './repeat.ts';

/** Removes up to `limit` expired rows and returns how many it removed. */
export type RemoveEnded = (limit: number) => Promise<number>;

const EVERY_MS = 5 * 60_000;
const BATCH = 1_000;
/** A large table is cleaned over several sweeps, not in one long delete. */
const MAX_BATCHES = 50;

/**
 * Removes expired rows, first a few minutes after the start and then every few minutes. Every instance sweeps, at
 * different times; a row that one instance removed is not found by the next. A failure is logged, and the next sweep
 * retries.
 */
export function startSweeps(
  tables: Readonly<Record<string, RemoveEnded>>,
  logger: Pick<Logger, 'warn'>,
): { stop(): Promise<void> } {
  return repeat(EVERY_MS, (isStopped) => sweep(tables, logger, isStopped));
}

async function sweep(
  tables: Readonly<Record<string, RemoveEnded>>,
  logger: Pick<Logger, 'warn'>,
  isStopped: () => boolean,
): Promise<void> {
  for (const [table, removeEnded] of Object.entries(tables)) {
    try {
      for (let batch = 0; batch < MAX_BATCHES && !isStopped(); batch++)
        if ((await removeEnded(BATCH)) < BATCH) break;
    } catch (error) {
      logger.warn({ err: error, table }, 'expired rows could not be deleted');
    }
  }
}
