import { ownProfile, type ProfileInput, parseFields } from '@innkeeper/contract';
import { lockAccount } from '@innkeeper/db';
import { assertChangeable, requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import { storePerson } from '../users/set-own-profile.ts';

/**
 * Changes the name and email address of an account's person. Throws `not_found`; `invalid` with the field, also for the
 * address of an admin or reseller; `precondition_failed` while the account is being terminated.
 */
export async function setAccountPerson(
  ctx: OperatorContext,
  { account_id, ...input }: ProfileInput & { account_id: number },
): Promise<void> {
  requireMay(ctx.actor.role, 'account.set-person');
  const wanted = parseFields(ownProfile, input);
  await writeOnce(ctx, async (trx) => {
    const account = await lockAccount(trx, scopeOf(ctx.actor), account_id);
    assertChangeable(account.state);
    await storePerson(trx, ctx, { userId: account.user_id, wanted, action: 'account.set-person' });
  });
}
