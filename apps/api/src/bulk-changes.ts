import { type BackgroundContext, runBulkChanges } from '@innkeeper/services';
import type { Logger } from 'pino';
import { repeat } from './repeat.ts';

const EVERY_MS = 1_000;

/**
 * Applies changes of many accounts in the background. Every instance looks; one works on a change at a time, and another
 * one goes on if it ends. A failure is logged, and the change goes on after its lease.
 */
export function startBulkChanges(
  ctx: BackgroundContext,
  logger: Pick<Logger, 'warn'>,
): { stop(): Promise<void> } {
  const onError = (err: unknown, change: object) =>
    logger.warn({ err, ...change }, 'a change of many accounts was interrupted');
  return repeat(EVERY_MS, async (isStopped) => {
    try {
      await runBulkChanges(ctx, { isStopped, onError });
    } catch (error) {
      onError(error, {});
    }
  });
}
