import type { Kysely, Selectable, Transaction } from 'kysely';
import type { AppEnvVarsTable, AppReleasesTable, AppsTable, Database } from '../schema/index.ts';
import { deleteReleasesOfApps } from './app-releases.ts';

/** An app as its node must know it. */
export interface SpecifiedApp extends Selectable<AppsTable> {
  variables: Pick<Selectable<AppEnvVarsTable>, 'name' | 'value' | 'sealed_value'>[];
  release: SpecifiedRelease | null;
}

type SpecifiedRelease = Pick<
  Selectable<AppReleasesTable>,
  'id' | 'source' | 'archive_sha256' | 'archive_bytes'
>;

/**
 * The apps of these accounts, including tombstones, ordered by account and id, with their variables and wanted
 * releases. Three SQL statements; one if there is no app.
 */
export async function findAppsOfAccounts(
  db: Kysely<Database>,
  accountIds: readonly number[],
): Promise<SpecifiedApp[]> {
  if (accountIds.length === 0) return [];
  const apps = await db
    .selectFrom('apps')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('id')
    .execute();
  if (apps.length === 0) return [];
  const owners = [...new Set(apps.map(({ account_id }) => account_id))];
  const variables = await db
    .selectFrom('app_env_vars')
    .select(['app_id', 'name', 'value', 'sealed_value'])
    .where('account_id', 'in', owners)
    .orderBy('id')
    .execute();
  const byApp = Map.groupBy(variables, ({ app_id }) => app_id);
  const releases = await findReleases(
    db,
    apps.flatMap(({ release_id }) => (release_id === null ? [] : [release_id])),
  );
  return apps.map((app) => ({
    ...app,
    variables: byApp.get(app.id) ?? [],
    release: app.release_id === null ? null : (releases.get(app.release_id) ?? null),
  }));
}

async function findReleases(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, SpecifiedRelease>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('app_releases')
    .select(['id', 'source', 'archive_sha256', 'archive_bytes'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export interface ObservedApp
  extends Pick<
    Selectable<AppsTable>,
    'id' | 'name' | 'state' | 'status' | 'status_reason' | 'release_id' | 'served_release_id'
  > {
  /** State of the wanted release. */
  release_state: AppReleasesTable['state'] | null;
}

export async function findObservedApps(
  trx: Transaction<Database>,
  accountId: number,
): Promise<ObservedApp[]> {
  return await trx
    .selectFrom('apps')
    .leftJoin('app_releases', 'app_releases.id', 'apps.release_id')
    .select(['apps.id', 'apps.name', 'apps.state', 'apps.status', 'apps.status_reason'])
    .select(['apps.release_id', 'apps.served_release_id', 'app_releases.state as release_state'])
    .where('apps.account_id', '=', accountId)
    .orderBy('apps.id')
    .execute();
}

export type AppStatusChange = Pick<ObservedApp, 'id' | 'status' | 'status_reason' | 'served_release_id'>;

/** At most 100, the maximum number of apps of an account. */
export async function storeAppStatuses(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly AppStatusChange[],
  now: Date,
): Promise<void> {
  for (const { id, ...change } of changes)
    await trx
      .updateTable('apps')
      .set({ ...change, updated_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
}

/** Deletes apps with their variables and releases. The caller has locked the account. */
export async function deleteGoneApps(
  trx: Transaction<Database>,
  accountId: number,
  appIds: readonly number[],
): Promise<void> {
  await deleteReleasesOfApps(trx, accountId, appIds);
  await trx
    .deleteFrom('app_env_vars')
    .where('account_id', '=', accountId)
    .where('app_id', 'in', appIds)
    .execute();
  await trx.deleteFrom('apps').where('account_id', '=', accountId).where('id', 'in', appIds).execute();
}
