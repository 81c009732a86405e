import {
  type AccountChange,
  type AccountRow,
  type Database,
  getManagingReseller,
  lockAccount,
  lockOwner,
  lockReseller,
  type OwnedKind,
  storeNextGeneration,
} from '@innkeeper/db';
import { type AccountState, assertChangeable } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from './audit.ts';
import type { ServiceContext } from './context.ts';
import { writeOnce } from './idempotency/write-once.ts';
import { scopeOf } from './scope.ts';
import type { Written } from './written.ts';

/** A change of desired state that a verb asks for. */
export interface Asked {
  /** Of the audit row: `domain.create`. */
  action: string;
  /** The account, or a record of it: the account that owns the record is locked. */
  kind: 'account' | OwnedKind;
  id: number;
  /** The change takes from the reseller's pool: the reseller is locked before the account. */
  isPooled?: boolean;
  /** Throws for a state in which the account must not be changed like this. Default: while it is terminated. */
  requireState?: (state: AccountState) => void;
}

/** What a verb did. */
export interface Change<View> {
  /** Details of the audit row, beside the generation. Null: nothing had to change, and nothing was written. */
  details: Readonly<Record<string, unknown>> | null;
  /** Of the audit row. Default: the record that was asked for. */
  target?: string;
  /** Columns of the account's own row. */
  account?: AccountChange;
  view: View;
}

/**
 * The one way desired state is changed. In one transaction it locks the account (the reseller first, where the
 * change takes from a pool), checks its state, runs the verb's rules and writes (`change`), stores the next
 * generation and the audit row; after the commit it wakes the node. The transaction is run again from the start
 * when the database asks for it, so `change` writes in that transaction only.
 *
 * Throws `not_found` outside the actor's scope, what `requireState` throws (by default `precondition_failed`), and
 * what `change` throws.
 */
export async function changeDesired<View>(
  ctx: ServiceContext,
  asked: Asked,
  change: (trx: Transaction<Database>, account: AccountRow, now: Date) => Promise<Change<View>>,
): Promise<Written<View>> {
  const { action, kind, id, requireState = assertChangeable } = asked;
  const { changed, ...written } = await writeOnce(ctx, async (trx) => {
    const account = await lock(trx, ctx, asked);
    requireState(account.state);
    const now = ctx.now();
    const {
      details,
      target = `${kind}:${id}`,
      account: columns = {},
      view,
    } = await change(trx, account, now);
    const same = { view, nodeId: account.node_id, accountId: account.id, generation: account.generation };
    if (details === null) return { ...same, changed: false };
    const generation = await storeNextGeneration(trx, account, columns, now);
    await audit(trx, ctx, { action, target, account_id: account.id, details: { generation, ...details } });
    return { ...same, generation, changed: true };
  });
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

/** An account never changes its reseller, so the reseller may be read before it is locked. */
async function lock(
  trx: Transaction<Database>,
  { actor }: ServiceContext,
  { kind, id, isPooled }: Asked,
): Promise<AccountRow> {
  const scope = scopeOf(actor);
  if (kind !== 'account') return await lockOwner(trx, scope, kind, id);
  const reseller = isPooled ? await getManagingReseller(trx, scope, id) : null;
  if (reseller !== null) await lockReseller(trx, reseller);
  return await lockAccount(trx, scope, id);
}
