import { type AccountChange, type AccountRow, type Database, storeNextGeneration } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import type { Written } from '../written.ts';
import { type AccountView, loadAccountView } from './account-view.ts';

interface Decision {
  /** The locked row. */
  account: AccountRow;
  /** Null: it is as it should be, and nothing is written. */
  change: AccountChange | null;
}

/**
 * The one way an account's row is changed: `decide` locks the account, checks the rules and says what
 * changes; the change, the next generation and the audit row are committed together, and then the node is
 * woken. Run again from the start when the database asks for it, so what `decide` writes beside the row it
 * writes in the transaction that it is given.
 */
export async function changeAccount(
  ctx: ServiceContext,
  action: string,
  decide: (trx: Transaction<Database>) => Promise<Decision>,
): Promise<Written<AccountView>> {
  const { written, changed } = await writeOnce(ctx, async (trx) => {
    const { account, change } = await decide(trx);
    let generation = account.generation;
    if (change !== null) {
      generation = await storeNextGeneration(trx, account, change, ctx.now());
      await audit(trx, ctx, {
        action,
        target: `account:${account.id}`,
        account_id: account.id,
        details: { username: account.username, generation, ...told(account, change) },
      });
    }
    const view = await loadAccountView(trx, ctx.actor, account.id);
    return {
      written: { view, nodeId: account.node_id, accountId: account.id, generation },
      changed: change !== null,
    };
  });
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

/** The change as the audit log tells it. Of a password it says no more than that it is another. */
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
