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
  OF_INSTALLATION,
  type OwnedKind,
  raiseGenerationsOfPackage,
  raiseSettings,
  storeNextGeneration,
} from '@innkeeper/db';
import { type AccountState, type Action, assertChangeable, requireMay } from '@innkeeper/domain';
import { SETTINGS_OF_NODE, type WakeMessage } from '@innkeeper/protocol';
import type { Transaction } from 'kysely';
import { audit } from './audit.ts';
import type { OperatorContext, ServiceContext } from './context.ts';
import { writeOnce } from './idempotency/write-once.ts';
import { scopeOf } from './scope.ts';

/** Result of a write: the record, and the account and generation that the node must apply. */
export interface Written<View> {
  view: View;
  nodeId: number;
  accountId: number;
  generation: number;
}

/** The change of desired state that a verb requests. */
export interface Asked {
  /** Action of the audit row: `domain.create`. */
  action: Action;
  /** An account, or a record of an account. For a record, the account that owns it is locked. */
  kind: 'account' | OwnedKind;
  id: number;
  /** The change takes from the reseller's pool, so the reseller is locked before the account. */
  isPooled?: boolean;
  /** The reseller that gets the account. It is locked too; of two resellers the older one first. */
  toReseller?: number | null;
  /** Throws if the account's state does not allow the change. Default: throws while the account is being terminated. */
  requireState?: (state: AccountState) => void;
}

/** Result of a verb. */
export interface Change<View> {
  /** Details of the audit row, in addition to the generation. Null: nothing had to change, and nothing was written. */
  details: Readonly<Record<string, unknown>> | null;
  /** Target of the audit row. Default: the requested record. */
  target?: string;
  /** Changes of the account's own row. */
  account?: AccountChange;
  /** Called last, after everything is stored. */
  view: () => View | Promise<View>;
}

/** The committed result and its account. */
interface Done<View> extends Pick<Change<View>, 'details' | 'view'> {
  target: string;
  account: Pick<AccountRow, 'id' | 'node_id'>;
  generation: number;
}

/**
 * The only way to change desired state. One transaction locks the account (and first its reseller, if the change takes
 * from a pool), checks the account's state, runs the verb's rules and writes (`change`), and stores the next generation
 * and the audit row. After the commit it wakes the node. If the database aborts the transaction (deadlock, lock wait
 * timeout), it runs again from the start, so `change` must write only in that transaction.
 *
 * Throws `forbidden` for a role without the right, `not_found` outside the actor's scope, the errors of `requireState` (default: `precondition_failed`), and the
 * errors of `change`.
 */
export async function changeDesired<View>(
  ctx: ServiceContext,
  asked: Asked,
  change: (trx: Transaction<Database>, account: AccountRow, now: Date) => Promise<Change<View>>,
): Promise<Written<View>> {
  const { action, kind, id } = asked;
  return await commit(ctx, action, async (trx) => {
    const account = await lockAsked(trx, ctx, asked);
    // Read under the lock: of two changes, the one that gets the lock later has the later time.
    const now = ctx.now();
    const { target = `${kind}:${id}`, account: columns = {}, ...done } = await change(trx, account, now);
    const generation =
      done.details === null ? account.generation : await storeNextGeneration(trx, account, columns, now);
    return { ...done, target, account, generation };
  });
}

/** The same for an account that does not exist yet. `create` inserts it with its first generation. */
export async function createDesired<View>(
  ctx: ServiceContext,
  action: Action,
  create: (trx: Transaction<Database>) => Promise<Pick<Done<View>, 'account' | 'details' | 'view'>>,
): Promise<Written<View>> {
  return await commit(ctx, action, async (trx) => {
    const created = await create(trx);
    return { ...created, target: `account:${created.account.id}`, generation: 1 };
  });
}

async function commit<View>(
  ctx: ServiceContext,
  action: Action,
  write: (trx: Transaction<Database>) => Promise<Done<View>>,
): Promise<Written<View>> {
  requireMay(ctx.actor.role, action);
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
 * The same for a change of a package that affects all its accounts. Each account gets its next generation. One audit
 * row describes the change of the package. `change` locks the package.
 */
export async function changeDesiredOfPackage<View>(
  ctx: OperatorContext,
  { action, id }: { action: Action; id: number },
  change: (trx: Transaction<Database>) => Promise<Pick<Change<View>, 'details' | 'view'>>,
): Promise<View> {
  requireMay(ctx.actor.role, action);
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

/**
 * The same for the settings of servers: of one, or of all of them (`OF_INSTALLATION`). `change` returns the details of the
 * audit row; null: nothing had to change.
 */
export async function changeSettings(
  ctx: OperatorContext,
  { action, node }: { action: Action; node: { id: number; name: string } | undefined },
  change: (trx: Transaction<Database>, nodeId: number) => Promise<Change<unknown>['details']>,
): Promise<void> {
  requireMay(ctx.actor.role, action);
  const id = node?.id ?? OF_INSTALLATION;
  const nodes = await inTransaction(ctx.db, async (trx) => {
    const details = await change(trx, id);
    if (details === null) return [];
    await audit(trx, ctx, {
      action,
      target: node === undefined ? 'installation' : `node:${id}`,
      account_id: null,
      details: node === undefined ? details : { name: node.name, ...details },
    });
    return await raiseSettings(trx, id);
  });
  for (const { id, settings_generation } of nodes) ctx.wakeNode(id, SETTINGS_OF_NODE, settings_generation);
}

/**
 * Locks the account of a change and checks its state. Throws the errors that `changeDesired` throws before it runs the
 * change.
 */
export async function lockAsked(
  trx: Transaction<Database>,
  { actor }: ServiceContext,
  { action, kind, id, isPooled, toReseller = null, requireState = assertChangeable }: Asked,
): Promise<AccountRow> {
  requireMay(actor.role, action);
  const scope = scopeOf(actor);
  const reseller = isPooled ? await getManagingReseller(trx, scope, id) : null;
  const resellers = [...new Set([reseller, toReseller])].filter((one) => one !== null);
  for (const one of resellers.sort((a, b) => a - b)) await lockReseller(trx, one);
  const account =
    kind === 'account' ? await lockAccount(trx, scope, id) : await lockOwner(trx, scope, kind, id);
  // It was handed over since the reseller was read. Locks in this order may meet a deadlock, which runs again.
  const { reseller_user_id: manager } = account;
  if (isPooled && manager !== null && !resellers.includes(manager)) await lockReseller(trx, manager);
  requireState(account.state);
  return account;
}

/**
 * Terminates an account that its node could not create, in the transaction of the report. The caller wakes the node.
 */
export async function endUnmade(
  trx: Transaction<Database>,
  account: AccountRow,
  now: Date,
): Promise<WakeMessage> {
  const generation = await storeNextGeneration(trx, account, { state: 'terminating' }, now);
  return { account_id: account.id, generation };
}
