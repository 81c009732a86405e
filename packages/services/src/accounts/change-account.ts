import type { AccountView } from '@innkeeper/contract';
import type { AccountChange, AccountRow, Database } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { type Asked, changeDesired, type Written } from '../desired-state.ts';
import { loadAccountView } from './account-view.ts';

/**
 * Changes an account's row with `changeDesired`. `decide` checks the rules and returns null if nothing has to change.
 * Throws like `changeDesired`.
 */
export async function changeAccount(
  ctx: ServiceContext,
  asked: Omit<Asked, 'kind'>,
  decide: (trx: Transaction<Database>, account: AccountRow, now: Date) => Promise<AccountChange | null>,
): Promise<Written<AccountView>> {
  return await changeDesired(ctx, { kind: 'account', ...asked }, async (trx, account, now) => {
    const change = await decide(trx, account, now);
    const view = () => loadAccountView(trx, ctx.actor, account.id);
    if (change === null) return { details: null, view };
    return { details: { username: account.username, ...told(account, change) }, account: change, view };
  });
}

/** Details of the change for the audit log. For a password they only record that it changed. */
function told(
  { state: status, terminal_access, ...account }: AccountRow,
  { state, linux_password_hash, ...change }: AccountChange,
): Readonly<Record<string, unknown>> {
  const before = { ...account, status, terminal_access: terminal_access === 1 };
  return {
    ...changedFields(before, { ...change, ...(state === undefined ? {} : { status: state }) }),
    ...(linux_password_hash === undefined ? {} : { replaced: ['password'] }),
  };
}
