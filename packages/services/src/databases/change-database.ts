import type { DatabaseView } from '@innkeeper/contract';
import { type Database, type DatabaseDetails, getDatabaseDetails, updateDatabase } from '@innkeeper/db';
import { type Action, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { databaseView } from './database-view.ts';

interface DatabaseChange {
  columns?: Partial<Pick<DatabaseDetails, 'state' | 'password_revision'> & { sealed_password: string }>;
  /** The addresses after the change. The caller has stored them. */
  allowed_ips?: string[];
  /** Details of the audit row. */
  details: Readonly<Record<string, unknown>>;
}

/**
 * Changes a database with `changeDesired`. `change` checks the rules and returns null if nothing has to change. Throws
 * `not_found`, and `precondition_failed` while the account is being terminated.
 */
export async function changeDatabase(
  ctx: ServiceContext,
  action: Action,
  id: number,
  change: (
    trx: Transaction<Database>,
    database: DatabaseDetails,
    now: Date,
  ) => Promise<DatabaseChange | null> | DatabaseChange | null,
): Promise<Written<DatabaseView>> {
  return await changeDesired(ctx, { action, kind: 'database', id }, async (trx, _account, now) => {
    const database = await getDatabaseDetails(trx, scopeOf(ctx.actor), id);
    const changed = await change(trx, database, now);
    if (changed === null) return { details: null, view: () => databaseView(database) };
    const { columns = {}, allowed_ips = database.allowed_ips, details } = changed;
    await updateDatabase(trx, id, { ...columns, updated_at: now });
    const updated = { ...database, ...columns, allowed_ips, updated_at: now };
    return { details: { db_name: database.db_name, ...details }, view: () => databaseView(updated) };
  });
}

/** Throws `precondition_failed` for a database that is being removed: it accepts no changes. */
export function assertKept(database: Pick<DatabaseDetails, 'state'>): void {
  if (database.state === 'removing')
    throw new DomainError('precondition_failed', 'This database is being removed.');
}
