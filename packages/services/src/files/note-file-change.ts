import type { Action } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { EndUser, ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';

/**
 * Writes an audit row for a change of files, which the file program of the account makes. The opening of the channel to the program has
 * its own row, so reads need none.
 */
export async function noteFileChange(
  ctx: ServiceContext<EndUser>,
  { action, name, count }: { action: Extract<Action, `files.${string}`>; name: string; count?: number },
): Promise<void> {
  const { accountId } = ctx.actor;
  await writeOnce(ctx, async (trx) => {
    await audit(trx, ctx, {
      action,
      target: `account:${accountId}`,
      account_id: accountId,
      details: { name, ...(count === undefined || count === 1 ? {} : { count }) },
    });
  });
}
