import {
  type Database,
  type DatabaseDetails,
  getDatabaseDetails,
  lockAccount,
  storeNextGeneration,
} from '@innkeeper/db';
import { assertChangeable, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { type DatabaseView, databaseView } from './database-view.ts';

/** What the audit log tells of a change; null where there was nothing to do. */
type Change = Readonly<Record<string, unknown>> | null;

/**
 * The one way a database is changed: its account is locked, `change` checks the rules and writes, and that,
 * the next generation and the audit row are committed together; then the node is woken. Throws `not_found`,
 * and `precondition_failed` while the account is being terminated.
 */
export async function changeDatabase(
  ctx: ServiceContext,
  action: string,
  databaseId: number,
  change: (trx: Transaction<Database>, database: DatabaseDetails, now: Date) => Promise<Change>,
): Promise<Written<DatabaseView>> {
  const { written, changed } = await writeOnce(ctx, async (trx) => {
    const scope = scopeOf(ctx.actor);
    const { account_id } = await getDatabaseDetails(trx, scope, databaseId);
    const account = await lockAccount(trx, scope, account_id);
    assertChangeable(account.state);
    const database = await getDatabaseDetails(trx, scope, databaseId);
    const now = ctx.now();
    const details = await change(trx, database, now);
    let { generation } = account;
    if (details !== null) {
      generation = await storeNextGeneration(trx, account, {}, now);
      await audit(trx, ctx, {
        action,
        target: `database:${databaseId}`,
        account_id,
        details: { db_name: database.db_name, generation, ...details },
      });
    }
    const view = databaseView(await getDatabaseDetails(trx, scope, databaseId));
    return {
      written: { view, nodeId: account.node_id, accountId: account_id, generation },
      changed: details !== null,
    };
  });
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

/** Throws `precondition_failed` for a database that is being removed: it takes no change any more. */
export function assertKept(database: Pick<DatabaseDetails, 'state'>): void {
  if (database.state === 'removing')
    throw new DomainError('precondition_failed', 'This database is being removed.');
}
