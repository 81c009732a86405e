import { type OutboxContext, sendDueMails } from '@innkeeper/services';
import type { Logger } from 'pino';
import { repeat } from '../repeat.ts';

const EVERY_MS = 2_000;
const AT_ONCE = 5;

/**
 * Sends the mails of the outbox. Every instance does, each other mails. A failure of the database is logged, and the mails
 * are due again after their lease. A mail that failed for good is logged by its id, without its recipient.
 */
export function startOutbox(ctx: OutboxContext, logger: Pick<Logger, 'warn'>): { stop(): Promise<void> } {
  return repeat(EVERY_MS, async () => {
    try {
      for (const { id, reason } of await sendDueMails(ctx, { limit: AT_ONCE }))
        logger.warn({ mail_id: id, reason }, 'a mail could not be sent');
    } catch (error) {
      logger.warn({ err: error }, 'the mails of the outbox could not be sent');
    }
  });
}
