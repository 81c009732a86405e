import { type AppStatus, DomainError, invalidField, recordSentences } from '@innkeeper/domain';
import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type {
  AccountsTable,
  AppEnvVarsTable,
  AppReleasesTable,
  AppsTable,
  Database,
} from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { pageOf, type RecordPage, recordsIn, withTotal } from './record-page.ts';
import { type Scope, within } from './scope.ts';

/** An app joined with its account, its domain and its wanted release. */
export interface AppDetails extends Omit<Selectable<AppsTable>, `sealed_${string}` | 'retries'> {
  account_username: string;
  account_linux_user: string;
  account_state: AccountsTable['state'];
  domain_name: string | null;
  release_source: AppReleasesTable['source'] | null;
  release_created_at: Date | null;
}

const columns = [
  'apps.id',
  'apps.account_id',
  'apps.name',
  'apps.template_key',
  'apps.runtime',
  'apps.installer',
  'apps.state',
  'apps.status',
  'apps.status_reason',
  'apps.domain_id',
  'apps.database_id',
  'apps.node_version',
  'apps.start_command',
  'apps.release_id',
  'apps.served_release_id',
  'apps.git_repository',
  'apps.git_branch',
  'apps.created_at',
  'apps.updated_at',
  'accounts.username as account_username',
  'accounts.linux_user as account_linux_user',
  'accounts.state as account_state',
  'domains.domain_name',
  'app_releases.source as release_source',
  'app_releases.created_at as release_created_at',
] as const;

export interface AppVariable {
  id: number;
  name: string;
  /** Null for a secret. */
  value: string | null;
}

/** An app with its variables, oldest first. One SQL statement. Throws `not_found` outside the scope. */
export async function getAppDetails(
  db: Kysely<Database>,
  scope: Scope,
  appId: number,
): Promise<AppDetails & { variables: AppVariable[] }> {
  // Even with the maximum number of variables the list is far below the size at which servers cut it.
  const variables = db
    .selectFrom('app_env_vars')
    .select(sql<string | null>`json_arrayagg(json_array(id, name, value))`.as('list'))
    .where('app_id', '=', appId);
  let query = db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('domains', 'domains.id', 'apps.domain_id')
    .leftJoin('app_releases', 'app_releases.id', 'apps.release_id')
    .select(columns)
    .select(variables.$asScalar().as('variable_list'))
    .where('apps.id', '=', appId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no app ${appId}.`);
  const { variable_list, ...app } = row;
  return { ...app, variables: readVariables(variable_list) };
}

/** Aggregates have no order, so the list is sorted here. */
function readVariables(list: string | null): AppVariable[] {
  const variables: [number, string, string | null][] = list === null ? [] : JSON.parse(list);
  return variables.map(([id, name, value]) => ({ id, name, value })).sort((a, b) => a.id - b.id);
}

export interface AppPage extends RecordPage {
  /** The displayed status: `removing` for tombstones, regardless of the node's last report. */
  status?: AppStatus | undefined;
}

/** One page of apps, ordered by id, and the total. */
export async function findAppPage(
  db: Kysely<Database>,
  scope: Scope,
  { status, ...page }: AppPage,
): Promise<{ rows: AppDetails[]; total: number }> {
  let chosen = recordsIn(db, 'apps', scope, page);
  if (status === 'removing') chosen = chosen.where('apps.state', '=', 'removing');
  else if (status !== undefined)
    chosen = chosen.where('apps.status', '=', status).where('apps.state', '!=', 'removing');
  const { ids, total } = pageOf(chosen, page);
  const rows = await db
    .selectFrom(ids)
    .innerJoin('apps', 'apps.id', 'page.id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('domains', 'domains.id', 'apps.domain_id')
    .leftJoin('app_releases', 'app_releases.id', 'apps.release_id')
    .select(columns)
    .select(total.$asScalar().$notNull().as('total'))
    .orderBy('apps.id')
    .execute();
  return withTotal(rows, page, () => total.executeTakeFirstOrThrow());
}

/** The apps of these domains. A domain has at most one. */
export async function findAppsOfDomains(
  db: Kysely<Database>,
  scope: Scope,
  domainIds: readonly number[],
): Promise<AppDetails[]> {
  if (domainIds.length === 0) return [];
  let query = db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('domains', 'domains.id', 'apps.domain_id')
    .leftJoin('app_releases', 'app_releases.id', 'apps.release_id')
    .select(columns)
    .where('apps.domain_id', 'in', domainIds);
  if (scope !== 'all') query = query.where(...within(scope));
  return await query.execute();
}

/** Returns the new app's id. Throws DomainError `invalid` for a domain that has an app. */
export async function insertApp(trx: Transaction<Database>, app: Insertable<AppsTable>): Promise<number> {
  try {
    const { insertId } = await trx.insertInto('apps').values(app).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'apps_domain'))
      throw invalidField('domain_id', recordSentences.taken('domain_id'));
    throw error;
  }
}

/**
 * One more try for the failed apps of an account, and for their releases from Git. An archive is deleted with its failure,
 * so it must be uploaded again. The caller has locked the account.
 */
export async function retryFailedApps(trx: Transaction<Database>, accountId: number): Promise<void> {
  const failed = await trx
    .selectFrom('apps')
    .select(['id', 'release_id'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'failed')
    .where('state', '=', 'running')
    .execute();
  if (failed.length === 0) return;
  await trx
    .updateTable('apps')
    .set((eb) => ({
      retries: sql`least(${eb.ref('retries')} + 1, 65535)`,
      // The server says how the new try goes. What it said of the former one is over.
      status: 'pending',
      status_reason: null,
    }))
    .where('account_id', '=', accountId)
    .where(
      'id',
      'in',
      failed.map(({ id }) => id),
    )
    .execute();
  await trx
    .updateTable('app_releases')
    .set({ state: 'wanted' })
    .where('account_id', '=', accountId)
    .where(
      'id',
      'in',
      failed.map(({ release_id }) => release_id ?? 0),
    )
    .where('source', '=', 'git')
    .where('state', '=', 'failed')
    .execute();
}

export async function updateApp(
  trx: Transaction<Database>,
  appId: number,
  change: Updateable<AppsTable>,
): Promise<void> {
  await trx.updateTable('apps').set(change).where('id', '=', appId).execute();
}

export async function insertAppVariables(
  trx: Transaction<Database>,
  variables: readonly Insertable<AppEnvVarsTable>[],
): Promise<void> {
  if (variables.length > 0) await trx.insertInto('app_env_vars').values(variables).execute();
}

/** Everything that is sealed of an app: its secret variables and its deploy key. */
export async function getAppSecrets(
  trx: Transaction<Database>,
  appId: number,
): Promise<{ deployKey: string | null; variables: Map<string, string> }> {
  const app = await trx
    .selectFrom('apps')
    .select('sealed_git_deploy_key')
    .where('id', '=', appId)
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('app_env_vars')
    .select(['name', 'sealed_value'])
    .where('app_id', '=', appId)
    .where('sealed_value', 'is not', null)
    .execute();
  return {
    deployKey: app.sealed_git_deploy_key,
    variables: new Map(rows.map(({ name, sealed_value }) => [name, sealed_value ?? ''])),
  };
}

/** The sealed secret of an app's push hook, and the branch that it deploys. Undefined if it has no hook. */
export async function findPushHook(
  db: Kysely<Database>,
  appId: number,
): Promise<{ sealed: string; branch: string } | undefined> {
  const row = await db
    .selectFrom('apps')
    .select(['sealed_push_secret', 'git_branch'])
    .where('id', '=', appId)
    .where('state', '!=', 'removing')
    .executeTakeFirst();
  if (row === undefined || row.sealed_push_secret === null) return undefined;
  return { sealed: row.sealed_push_secret, branch: row.git_branch ?? 'main' };
}

/** Changes nothing that a node or a client of the API reads. */
export async function setPushSecret(
  trx: Transaction<Database>,
  appId: number,
  sealed: string | null,
): Promise<void> {
  await trx.updateTable('apps').set({ sealed_push_secret: sealed }).where('id', '=', appId).execute();
}

/** Changes the value of a variable. */
export async function updateAppVariable(
  trx: Transaction<Database>,
  id: number,
  change: Pick<Updateable<AppEnvVarsTable>, 'value' | 'sealed_value'>,
): Promise<void> {
  await trx.updateTable('app_env_vars').set(change).where('id', '=', id).execute();
}

export async function deleteAppVariables(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('app_env_vars').where('id', 'in', ids).execute();
}

/** The account's own domain with this id, unless it is being removed. */
export async function findDomainForApp(
  trx: Transaction<Database>,
  accountId: number,
  domainId: number,
): Promise<{ id: number } | undefined> {
  return await trx
    .selectFrom('domains')
    .select('id')
    .where('id', '=', domainId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .where('alias_of', 'is', null)
    .executeTakeFirst();
}

/**
 * The account's own domains that are not the site of an app, ordered by name. Excludes aliases, and domains that are
 * being removed.
 */
export async function findDomainsWithoutApp(
  db: Kysely<Database>,
  accountId: number,
  limit: number,
): Promise<{ id: number; domain_name: string }[]> {
  return await db
    .selectFrom('domains')
    .leftJoin('apps', 'apps.domain_id', 'domains.id')
    .select(['domains.id', 'domains.domain_name'])
    .where('domains.account_id', '=', accountId)
    .where('domains.state', '=', 'active')
    .where('domains.alias_of', 'is', null)
    .where('apps.id', 'is', null)
    .orderBy('domains.domain_name')
    .limit(limit)
    .execute();
}

/** Detaches the app from its domain. The app continues without a domain. */
export async function detachAppFromDomain(
  trx: Transaction<Database>,
  accountId: number,
  domainId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('apps')
    .set({ domain_id: null, updated_at: now })
    .where('account_id', '=', accountId)
    .where('domain_id', '=', domainId)
    .execute();
}

/** JSON array of the Node.js versions of a node. Null if the node has not reported them. */
export async function findNodeVersions(db: Kysely<Database>, nodeId: number): Promise<string | null> {
  const row = await db
    .selectFrom('nodes')
    .select('node_versions')
    .where('id', '=', nodeId)
    .executeTakeFirst();
  return row?.node_versions ?? null;
}
