import { type Selectable, sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { AppReleasesTable, AppsTable, Database, DatabasesTable, DomainsTable } from '../schema/index.ts';
import {
  type JsonRecordRow,
  jsonRecord,
  type RecordColumns,
  readJsonRecords,
  timeOfJson,
} from './json-records.ts';

export type ObservedDomain = Pick<
  Selectable<DomainsTable>,
  | 'id'
  | 'account_id'
  | 'domain_name'
  | 'state'
  | 'status'
  | 'status_reason'
  | 'certificate_revision'
  | 'ssl_status'
  | 'ssl_issuer'
  | 'ssl_expires_at'
  | 'ssl_issued_at'
  | 'ssl_failing_since'
  | 'ssl_next_attempt_at'
  | 'ssl_error'
>;

export interface ObservedApp
  extends Pick<
    Selectable<AppsTable>,
    | 'id'
    | 'account_id'
    | 'name'
    | 'state'
    | 'status'
    | 'status_reason'
    | 'database_id'
    | 'release_id'
    | 'served_release_id'
  > {
  /** State of the wanted release. */
  release_state: AppReleasesTable['state'] | null;
}

export type ObservedDatabase = Pick<
  Selectable<DatabasesTable>,
  'id' | 'account_id' | 'db_name' | 'state' | 'status' | 'status_reason'
>;

/** What nodes report about, as it is stored. Each list is ordered by id. */
export interface ObservedRecords {
  /** The node's newest session. Null before the first; undefined if there is no such node. */
  newestSession: string | null | undefined;
  domains: ObservedDomain[];
  apps: ObservedApp[];
  databases: ObservedDatabase[];
  /** The app of each reported release. */
  releaseApps: Map<number, number>;
}

const columns = {
  nodes: ['session_id'],
  domains: [
    'id',
    'account_id',
    'domain_name',
    'state',
    'status',
    'status_reason',
    'certificate_revision',
    'ssl_status',
    'ssl_issuer',
    'ssl_expires_at',
    'ssl_issued_at',
    'ssl_failing_since',
    'ssl_next_attempt_at',
    'ssl_error',
  ],
  apps: [
    'id',
    'account_id',
    'name',
    'state',
    'status',
    'status_reason',
    'database_id',
    'release_id',
    'served_release_id',
  ],
  databases: ['id', 'account_id', 'db_name', 'state', 'status', 'status_reason'],
  app_releases: ['id', 'app_id', 'state'],
} as const satisfies RecordColumns;

/**
 * Reads what a node's reports are compared with: its newest session, the domains, apps and databases of these accounts,
 * and these releases. One SQL statement. The caller has locked the accounts, so that no later session stores a report
 * between this read and its own writes.
 */
export async function findObservedRecords(
  trx: Transaction<Database>,
  { node_id, account_ids, release_ids }: { node_id: number; account_ids: number[]; release_ids: number[] },
): Promise<ObservedRecords> {
  // No record has the id 0. A list of values must not be empty.
  const lists = { account_ids: [0, ...account_ids], release_ids: [0, ...release_ids] };
  const { rows } = await readObserved(trx, { node_id, ...lists });
  const { nodes, domains, apps, databases, app_releases } = readJsonRecords(columns, rows);
  const releases = new Map(app_releases.map((release) => [release.id, release]));
  return {
    newestSession: nodes[0]?.session_id,
    domains: domains.map((domain) => ({
      ...domain,
      ssl_expires_at: timeOfJson(domain.ssl_expires_at),
      ssl_issued_at: timeOfJson(domain.ssl_issued_at),
      ssl_failing_since: timeOfJson(domain.ssl_failing_since),
      ssl_next_attempt_at: timeOfJson(domain.ssl_next_attempt_at),
    })),
    apps: apps.map((app) => ({
      ...app,
      release_state: releases.get(app.release_id ?? 0)?.state ?? null,
    })),
    databases,
    releaseApps: new Map(app_releases.map(({ id, app_id }) => [id, app_id])),
  };
}

const readObserved = compileOnce(
  (db, asked: { node_id: number; account_ids: readonly number[]; release_ids: readonly number[] }) => {
    const { node_id, account_ids, release_ids } = asked;
    const ofAccounts = (table: 'domains' | 'apps' | 'databases') =>
      sql`${jsonRecord(columns, table)} from ${sql.table(table)} where account_id in (${account_ids})`;
    return sql<JsonRecordRow>`
      ${jsonRecord(columns, 'nodes')} from nodes where id = ${node_id}
      union all ${ofAccounts('domains')}
      union all ${ofAccounts('apps')}
      union all ${ofAccounts('databases')}
      union all ${jsonRecord(columns, 'app_releases')} from app_releases
        where id in (${release_ids}) and account_id in (${account_ids})
      union all ${jsonRecord(columns, 'app_releases')} from apps
        straight_join app_releases on app_releases.id = apps.release_id
        where apps.account_id in (${account_ids})`.compile(db);
  },
);
