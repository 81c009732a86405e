import {
  type AccountRow,
  type Database,
  deleteGoneDatabases,
  type ObservedApp,
  type ObservedDatabase,
  storeChanges,
} from '@innkeeper/db';
import type { AccountReport } from '@innkeeper/protocol';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { nodeAsActor } from './node-actor.ts';
import { recordOutcomes } from './record-outcomes.ts';

/**
 * Stores the reported databases of an account and deletes the tombstones that the node reports gone and that none of
 * these apps refers to. The caller has locked the account.
 */
export async function storeDatabaseOutcomes(
  trx: Transaction<Database>,
  account: AccountRow,
  { report, node_id, now }: { report: AccountReport; node_id: number; now: Date },
  { databases, apps }: { databases: readonly ObservedDatabase[]; apps: readonly ObservedApp[] },
): Promise<void> {
  const inUse = new Set(apps.map(({ database_id }) => database_id));
  const reports = new Map(report.databases.map((database) => [database.database_id, database]));
  const { changed, gone: absent } = recordOutcomes('database', databases, reports);
  await storeChanges(trx, 'databases', account.id, changed, now);
  const gone = absent.filter(({ id }) => !inUse.has(id));
  // The spec of a newer generation that is not pulled yet must not change, so its tombstones stay.
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
