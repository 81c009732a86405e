import { sql, type Transaction } from 'kysely';
import type { Database, DomainsTable } from '../schema/index.ts';
import { type AccountRow, lockAccountRow } from './accounts.ts';
import { addToCounts } from './record-counts.ts';

const domainsInOneStatement = 500;

/**
 * Locks those of these accounts that are on this node. Leaves out an account that another transaction has locked, so it
 * never waits.
 */
export async function lockFreeAccountsOfNode(
  trx: Transaction<Database>,
  accountIds: readonly number[],
  nodeId: number,
): Promise<AccountRow[]> {
  const rows = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', accountIds)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.filter(({ node_id }) => node_id === nodeId);
}

/** Locks and returns the account if it is on this node. */
export async function lockAccountOfNode(
  trx: Transaction<Database>,
  accountId: number,
  nodeId: number,
): Promise<AccountRow | undefined> {
  const row = await lockAccountRow(trx, accountId);
  return row?.node_id === nodeId ? row : undefined;
}

/** Makes every account of a node pending. Everything that the node has reported is invalid. */
export async function forgetObservations(trx: Transaction<Database>, nodeId: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ observed_generation: 0 })
    .where('node_id', '=', nodeId)
    .where('observed_generation', '>', 0)
    .execute();
}

export async function storeConditions(
  trx: Transaction<Database>,
  accountId: number,
  observed: { conditions: string; observed_at: Date },
): Promise<void> {
  await trx.updateTable('accounts').set(observed).where('id', '=', accountId).execute();
}

/** The final outcome of a generation. */
export interface Observation {
  account: Pick<AccountRow, 'id' | 'generation'>;
  observed_generation: number;
  outcome: 'applied' | 'failed';
  conditions: string;
}

/** One SQL statement for all observations that are alike. The caller has locked the accounts. */
export async function storeObservations(
  trx: Transaction<Database>,
  observations: readonly Observation[],
  now: Date,
): Promise<void> {
  const isNewest = ({ account, observed_generation }: Observation) =>
    account.generation === observed_generation;
  const alike = Map.groupBy(observations, (seen) =>
    [isNewest(seen) || seen.observed_generation, seen.outcome, seen.conditions].join(' '),
  );
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { observed_generation, outcome, conditions } = first;
    await trx
      .updateTable('accounts')
      .set({
        observed_generation: isNewest(first) ? sql.ref('generation') : observed_generation,
        outcome,
        conditions,
        observed_at: now,
        ...(outcome === 'applied' ? { first_applied_at: sql`coalesce(first_applied_at, ${now})` } : {}),
      })
      .where(
        'id',
        'in',
        group.map(({ account }) => account.id),
      )
      .execute();
  }
}

export interface DomainStatusChange {
  id: number;
  status: DomainsTable['status'];
  status_reason: string | null;
}

/** Stores the changed domains of an account, some hundred per statement. */
export async function storeDomainStatuses(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly DomainStatusChange[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += domainsInOneStatement) {
    const batch = changes.slice(start, start + domainsInOneStatement);
    const newValue = <C extends 'status' | 'status_reason'>(column: C) =>
      sql<DomainStatusChange[C]>`case id ${sql.join(
        batch.map((change) => sql`when ${change.id} then ${change[column]}`),
        sql` `,
      )} end`;
    await trx
      .updateTable('domains')
      .set({ status: newValue('status'), status_reason: newValue('status_reason'), updated_at: now })
      .where('account_id', '=', accountId)
      .where(
        'id',
        'in',
        batch.map((change) => change.id),
      )
      .execute();
  }
}

export async function deleteGoneDomains(
  trx: Transaction<Database>,
  accountId: number,
  domainIds: readonly number[],
): Promise<void> {
  for (let start = 0; start < domainIds.length; start += domainsInOneStatement)
    await trx
      .deleteFrom('domains')
      .where('account_id', '=', accountId)
      .where('id', 'in', domainIds.slice(start, start + domainsInOneStatement))
      .execute();
}

const childTables = [
  'domains',
  'release_archive_chunks',
  'app_releases',
  'app_env_vars',
  'apps',
  'database_allowed_ips',
  'databases',
  'cron_jobs',
  'usage_snapshots',
  'bandwidth_monthly',
] as const satisfies (keyof Database)[];

/**
 * Deletes all rows of an account: its records, its name, its end user and the account itself. The caller has locked it.
 */
export async function deleteAccountRows(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  for (const child of childTables) await trx.deleteFrom(child).where('account_id', '=', account.id).execute();
  await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
  await trx
    .deleteFrom('usernames')
    .where('username', '=', account.username)
    .where('user_id', '=', account.user_id)
    .execute();
  await trx.deleteFrom('sessions').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('users').where('id', '=', account.user_id).where('role', '=', 'user').execute();
  await addToCounts(trx, account, -1);
}
