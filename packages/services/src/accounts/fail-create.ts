import { lockAccount } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { changeAccount } from './change-account.ts';

/**
 * Undoes a create that the node refused for good: the account is terminated, so that nothing of it stays.
 * Leaves alone an account that the node has made true after all. `reason` goes into the audit log.
 */
export async function failCreate(
  ctx: ServiceContext,
  { account_id, reason }: { account_id: number; reason: string },
): Promise<void> {
  try {
    await changeAccount(ctx, 'account.fail-create', async (trx) => {
      const account = await lockAccount(trx, scopeOf(ctx.actor), account_id);
      const keep = account.state === 'terminating' || account.outcome === 'applied';
      return { account, change: keep ? null : { state: 'terminating' }, details: { reason } };
    });
  } catch (error) {
    const gone = error instanceof DomainError && error.code === 'not_found';
    if (!gone) throw error;
  }
}
