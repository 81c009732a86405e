import type { AccountView } from '@innkeeper/contract';
import { requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { hashAccountPassword, replacePassword } from './account-password.ts';
import { changeAccount } from './change-account.ts';

/**
 * Sets the password of the end user's panel login and of the Linux user. Signs the end user out everywhere. Throws
 * `not_found`, `invalid`, and `precondition_failed` while the account is being terminated.
 */
export async function setAccountPassword(
  ctx: OperatorContext,
  { account_id, password }: { account_id: number; password: string },
): Promise<Written<AccountView>> {
  requireMay(ctx.actor.role, 'account.set-password');
  const hashes = await hashAccountPassword(ctx, password);
  const asked = { action: 'account.set-password', id: account_id } as const;
  return await changeAccount(ctx, asked, (trx, account, now) =>
    replacePassword(trx, account, hashes, { now }),
  );
}
