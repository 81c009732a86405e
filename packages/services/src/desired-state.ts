import {
  type AccountChange,
  type AccountRow,
  type Database,
  findWakesOfPackage,
  getManagingReseller,
  inTransaction,
  lockAccount,
  lockOwner,
  lockReseller,
  type OwnedKind,
  raiseGenerationsOfPackage,
  storeNextGeneration,
} from '@innkeeper/db';
import { type AccountState, assertChangeable } from '@innkeeper/domain';
import type { WakeMessage } from '@innkeeper/protocol';
import type { Transaction } from 'kysely';
import { audit } from './audit.ts';
import type { OperatorContext, ServiceContext } from './context.ts';
import { writeOnce } from './idempotency/write-once.ts';
import { scopeOf } from './scope.ts';
import type { Written } from './written.ts';

/** A change of desired state by a verb. */
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
  /** Called last, when everything is stored. */
  view: () => View | Promise<View>;
}

/** The committed result and its account. */
interface Done<View> extends Pick<Change<View>, 'details' | 'view'> {
  target: string;
  account: Pick<AccountRow, 'id' | 'node_id'>;
  generation: number;
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
  const { action, kind, id } = asked;
  return await commit(ctx, action, async (trx) => {
    const account = await lockAsked(trx, ctx, asked);
    // Of two changes the one that got the lock later has the later time.
    const now = ctx.now();
    const { target = `${kind}:${id}`, account: columns = {}, ...done } = await change(trx, account, now);
    const generation =
      done.details === null ? account.generation : await storeNextGeneration(trx, account, columns, now);
    return { ...done, target, account, generation };
  });
}

/** The same for an account that does not exist yet: `create` inserts it, with its first generation. */
export async function createDesired<View>(
  ctx: ServiceContext,
  action: string,
  create: (trx: Transaction<Database>) => Promise<Pick<Done<View>, 'account' | 'details' | 'view'>>,
): Promise<Written<View>> {
  return await commit(ctx, action, async (trx) => {
    const created = await create(trx);
    return { ...created, target: `account:${created.account.id}`, generation: 1 };
  });
}

async function commit<View>(
  ctx: ServiceContext,
  action: string,
  write: (trx: Transaction<Database>) => Promise<Done<View>>,
): Promise<Written<View>> {
  const { changed, ...written } = await writeOnce(ctx, async (trx) => {
    const { account, target, details, generation, view } = await write(trx);
    if (details !== null)
      await audit(trx, ctx, { action, target, account_id: account.id, details: { generation, ...details } });
    return {
      view: await view(),
      nodeId: account.node_id,
      accountId: account.id,
      generation,
      changed: details !== null,
    };
  });
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

/**
 * The same for what a package says of all its accounts: each gets its next generation, and one audit row tells of the
 * package. `change` locks the package.
 */
export async function changeDesiredOfPackage<View>(
  ctx: OperatorContext,
  { action, id }: { action: string; id: number },
  change: (trx: Transaction<Database>) => Promise<Pick<Change<View>, 'details' | 'view'>>,
): Promise<View> {
  const { view, wakes } = await inTransaction(ctx.db, async (trx) => {
    const { details, view } = await change(trx);
    if (details === null) return { view: await view(), wakes: [] };
    const accounts = await raiseGenerationsOfPackage(trx, id);
    const told = { ...details, accounts };
    await audit(trx, ctx, { action, target: `package:${id}`, account_id: null, details: told });
    return { view: await view(), wakes: await findWakesOfPackage(trx, id) };
  });
  for (const { node_id, account_id, generation } of wakes) ctx.wakeNode(node_id, account_id, generation);
  return view;
}

/** Locks the account of a change, in its state. Throws as `changeDesired` does before it runs the change. */
export async function lockAsked(
  trx: Transaction<Database>,
  { actor }: ServiceContext,
  { kind, id, isPooled, requireState = assertChangeable }: Asked,
): Promise<AccountRow> {
  const scope = scopeOf(actor);
  // An account never changes its reseller, so the reseller may be read before it is locked.
  const reseller = isPooled ? await getManagingReseller(trx, scope, id) : null;
  if (reseller !== null) await lockReseller(trx, reseller);
  const account =
    kind === 'account' ? await lockAccount(trx, scope, id) : await lockOwner(trx, scope, kind, id);
  requireState(account.state);
  return account;
}

/** Ends an account that its node could not make, in the transaction of the report. The caller wakes the node. */
export async function endUnmade(
  trx: Transaction<Database>,
  account: AccountRow,
  now: Date,
): Promise<WakeMessage> {
  const generation = await storeNextGeneration(trx, account, { state: 'terminating' }, now);
  return { account_id: account.id, generation };
}
