import { randomUUID } from 'node:crypto';
import { lookAtDns, type OperatorContext } from '@innkeeper/services';
import type { Logger } from 'pino';
import { repeat } from './repeat.ts';

const EVERY_MS = 10_000;
/**
 * At most 360 looks a minute for an instance, each with two questions to DNS. So one instance looks at 100,000 domains
 * whose DNS leads elsewhere as often as the longest pause says, and a new domain does not wait for them.
 */
const AT_ONCE = 60;

/**
 * Requests a certificate for each domain without one as soon as its DNS leads to its server. Every instance looks, each
 * at other domains. A failure is logged, and the looks are due again after their lease.
 */
export function startDnsLooks(
  ctx: Omit<OperatorContext, 'actor' | 'requestId'>,
  logger: Pick<Logger, 'warn'>,
): { stop(): Promise<void> } {
  return repeat(EVERY_MS, async () => {
    try {
      const actor = { userId: null, role: 'admin', tokenId: null, address: 'dns-look' } as const;
      await lookAtDns({ ...ctx, actor, requestId: randomUUID() }, { limit: AT_ONCE });
    } catch (error) {
      logger.warn({ err: error }, 'the DNS of domains could not be looked up');
    }
  });
}
