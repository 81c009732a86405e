import { sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { Database } from '../schema/index.ts';
import { addToDay } from './account-days.ts';
import { type AccountRow, lockAccountRow } from './accounts.ts';
import { addToCounts } from './record-counts.ts';
import { deleteAccountUsage, deleteSiteUsage } from './usage-history.ts';

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
  const { rows } = await lockFree(trx, { accountIds });
  return rows.filter(({ node_id }) => node_id === nodeId);
}

const lockFree = compileOnce((db, { accountIds }: { accountIds: readonly number[] }) =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where(sql<boolean>`id in (${accountIds})`)
    .forUpdate()
    .skipLocked()
    .compile(),
);

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
  /** Null: it has not failed. */
  next_pass_at: Date | null;
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
    [
      isNewest(seen) || seen.observed_generation,
      seen.outcome,
      seen.next_pass_at?.getTime(),
      seen.conditions,
    ].join(' '),
  );
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { observed_generation, outcome, conditions, next_pass_at } = first;
    await storeAlike(trx, {
      ids: group.map(({ account }) => account.id),
      observed: isNewest(first) ? null : observed_generation,
      outcome,
      conditions,
      next_pass_at,
      observed_at: now,
      applied_at: outcome === 'applied' ? now : null,
      failed_at: outcome === 'failed' ? now : null,
    });
  }
}

/** `observed` is null for the newest generation of each account. `applied_at` is null unless it was applied. */
const storeAlike = compileOnce(
  (
    db,
    seen: Pick<Observation, 'outcome' | 'conditions' | 'next_pass_at'> & {
      ids: readonly number[];
      observed: number | null;
      observed_at: Date;
      applied_at: Date | null;
      failed_at: Date | null;
    },
  ) =>
    db
      .updateTable('accounts')
      .set({
        observed_generation: sql`coalesce(${seen.observed}, generation)`,
        outcome: seen.outcome,
        conditions: seen.conditions,
        observed_at: seen.observed_at,
        first_applied_at: sql`coalesce(first_applied_at, ${seen.applied_at})`,
        failing_since: sql`if(${seen.failed_at} is null, null, coalesce(failing_since, ${seen.failed_at}))`,
        next_pass_at: seen.next_pass_at,
      })
      .where(sql<boolean>`id in (${seen.ids})`)
      .compile(),
);

export async function deleteGoneDomains(
  trx: Transaction<Database>,
  accountId: number,
  domainIds: readonly number[],
  now: Date,
): Promise<void> {
  await deleteSiteUsage(trx, domainIds, now);
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
  'ssh_keys',
  'ftp_logins',
  'account_mail',
  'usage_snapshots',
  'bandwidth_monthly',
] as const satisfies (keyof Database)[];

/** For the audit log. After a restore of an older database an id can be that of an account that was removed before. */
async function keepName(
  trx: Transaction<Database>,
  { id, username, user_id }: AccountRow,
  now: Date,
): Promise<void> {
  const name = { username, user_id, removed_at: now };
  await trx
    .insertInto('former_accounts')
    .values({ id, ...name })
    .onDuplicateKeyUpdate(name)
    .execute();
}

/**
 * Deletes all rows of an account: its records, its history, its name, its end user and the account itself. Only the
 * audit log and the name for it stay. The caller has locked it.
 */
export async function deleteAccountRows(
  trx: Transaction<Database>,
  account: AccountRow,
  now: Date,
): Promise<void> {
  const domains = await trx.selectFrom('domains').select('id').where('account_id', '=', account.id).execute();
  await deleteSiteUsage(
    trx,
    domains.map(({ id }) => id),
    now,
  );
  await deleteAccountUsage(trx, account.id, now);
  for (const child of childTables) await trx.deleteFrom(child).where('account_id', '=', account.id).execute();
  await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
  await keepName(trx, account, now);
  await trx
    .deleteFrom('usernames')
    .where('username', '=', account.username)
    .where('user_id', '=', account.user_id)
    .execute();
  await trx.deleteFrom('sessions').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('users').where('id', '=', account.user_id).where('role', '=', 'user').execute();
  await addToCounts(trx, account, -1);
  await addToDay(trx, account, 'removed', now);
}
