import { limitNames } from '@innkeeper/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { Database } from '../schema/index.ts';
import {
  type JsonRecord,
  type JsonRecordRow,
  type JsonRecords,
  jsonRecord,
  type RecordColumns,
  readJsonRecords,
} from './json-records.ts';

/** The columns that a spec needs. */
const columns = {
  nodes: ['session_id', 'settings_generation'],
  accounts: [
    'id',
    'generation',
    'state',
    'linux_user',
    'uid',
    'creation_id',
    'terminal_access',
    'linux_password_hash',
    'package_id',
    ...limitNames,
  ],
  packages: ['id', 'smtp_port_25', 'mail_per_hour', 'mail_per_day'],
  domains: [
    'id',
    'account_id',
    'domain_name',
    'is_primary',
    'state',
    'certificate_revision',
    'alias_of',
    'https_redirect',
    'redirect_url',
    'redirect_status',
    'redirect_keeps_path',
    'document_root',
    'password_folder',
    'password_user',
    'password_hash',
    'php_memory_limit_mb',
    'php_upload_mb',
    'php_execution_s',
    'php_input_vars',
    'php_display_errors',
    'php_time_zone',
    'php_cache_revision',
  ],
  databases: ['id', 'account_id', 'db_name', 'sealed_password', 'password_revision', 'state'],
  database_allowed_ips: ['id', 'database_id', 'ip'],
  cron_jobs: ['id', 'account_id', 'schedule', 'command', 'enabled'],
  ssh_keys: ['id', 'account_id', 'public_key'],
  ftp_logins: ['id', 'account_id', 'name', 'folder', 'password_hash', 'public_keys'],
  apps: [
    'id',
    'account_id',
    'template_key',
    'runtime',
    'installer',
    'state',
    'domain_id',
    'database_id',
    'node_version',
    'start_command',
    'retries',
    'release_id',
    'git_repository',
    'git_branch',
    'sealed_git_deploy_key',
  ],
  app_env_vars: ['id', 'app_id', 'name', 'value', 'sealed_value'],
  app_releases: ['id', 'source', 'archive_sha256', 'archive_bytes'],
} as const satisfies RecordColumns;

type Table = keyof typeof columns;

/** A record with the columns that a spec needs. */
export type SpecRecord<T extends Table> = JsonRecord<typeof columns, T>;

/** The records of some accounts. `nodes` is empty if there is no such node. */
export type SpecRecords = JsonRecords<typeof columns>;

/**
 * The accounts of a node whose newest generation it has not reported, with all their records, tombstones included: the
 * first `limit` accounts by id, starting after `after_account_id` (exclusive). Reads an index range of (node_id,
 * pending, id), regardless of the node's other accounts. The node itself comes with them. One SQL statement.
 */
export async function findPendingSpecRecords(
  db: Kysely<Database>,
  page: { node_id: number; after_account_id: number; limit: number },
): Promise<SpecRecords> {
  return readJsonRecords(columns, (await readPending(db, page)).rows);
}

const readPending = compileOnce((db, page: { node_id: number; after_account_id: number; limit: number }) =>
  sql<JsonRecordRow>`
      with page as (
        select id, package_id from accounts
        where node_id = ${page.node_id} and pending = 1 and id > ${page.after_account_id}
        order by id limit ${page.limit}
      )
      ${jsonRecord(columns, 'nodes')} from nodes where nodes.id = ${page.node_id}
      union all ${ofPage('accounts', sql`accounts.id = page.id`)}
      union all ${jsonRecord(columns, 'packages')} from packages where packages.id in (select package_id from page)
      union all ${ofPage('domains')}
      union all ${ofPage('databases')}
      union all ${ofPage('database_allowed_ips')}
      union all ${ofPage('cron_jobs')}
      union all ${ofPage('ssh_keys')}
      union all ${ofPage('ftp_logins')}
      union all ${ofPage('apps')}
      union all ${ofPage('app_env_vars')}
      union all ${jsonRecord(columns, 'app_releases')} from page
        straight_join apps on apps.account_id = page.id
        straight_join app_releases on app_releases.id = apps.release_id`.compile(db),
);

/** The page first: its accounts are few, the tables are large. */
function ofPage(table: Table, on = sql`${sql.ref(`${table}.account_id`)} = page.id`): RawBuilder<unknown> {
  return sql`${jsonRecord(columns, table)} from page straight_join ${sql.table(table)} on ${on}`;
}
