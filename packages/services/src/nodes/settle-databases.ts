import {
  type AccountRow,
  type Database,
  deleteGoneDatabases,
  findObservedDatabases,
  storeDatabaseStatuses,
} from '@innkeeper/db';
import type { AccountReport } from '@innkeeper/protocol';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { databaseOutcomes } from './database-outcomes.ts';
import { nodeAsActor } from './node-actor.ts';

/**
 * Stores what a report says of an account's databases, and deletes the tombstones that the node has none of
 * any more. After the account's apps: a database goes once no app names it. The caller has locked the account.
 */
export async function settleDatabases(
  trx: Transaction<Database>,
  account: AccountRow,
  { report, node_id, now }: { report: AccountReport; node_id: number; now: Date },
): Promise<void> {
  if (report.databases.length === 0) return;
  const databases = await findObservedDatabases(trx, account.id);
  const { changed, gone } = databaseOutcomes(databases, report.databases);
  await storeDatabaseStatuses(trx, account.id, changed, now);
  // While a newer generation waits to be pulled its spec must not change, so its tombstones stay in it.
  if (report.observed_generation < account.generation || gone.length === 0) return;
  await deleteGoneDatabases(
    trx,
    account.id,
    gone.map(({ id }) => id),
  );
  await audit(trx, nodeAsActor(node_id, now), {
    action: 'database.removed',
    target: `account:${account.id}`,
    account_id: account.id,
    details: { databases: gone.slice(0, 50).map(({ db_name }) => db_name), count: gone.length },
  });
}
