import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/index.ts';
import type { Scope } from './scope.ts';

/** Share of the disk limit from which the account needs attention. */
const DISK_NEARLY_FULL = 0.9;

export interface ProblemRow {
  account_id: number;
  kind: 'domain' | 'certificate' | 'app' | 'database' | 'account' | 'disk' | 'bandwidth';
  /** Of the record; of the account for `account`, `disk` and `bandwidth`. */
  id: number;
  name: string;
  /** The server's message. `account`: the conditions of its newest report, as JSON. */
  reason: string | null;
  since: Date | null;
  /** For `disk` and `bandwidth`, in MiB. */
  used: number | null;
  limit: number | null;
}

/**
 * Everything of the accounts that failed or reached a limit. One SQL statement, each part by an index on the account.
 * Accounts outside the scope and records that are being removed are left out.
 */
export async function findAccountProblems(
  db: Kysely<Database>,
  scope: Scope,
  { accountIds, month }: { accountIds: readonly number[]; month: string },
): Promise<ProblemRow[]> {
  const own = scope !== 'all' && 'accountId' in scope;
  const ids = own ? accountIds.filter((id) => id === scope.accountId) : accountIds;
  if (ids.length === 0) return [];
  const visible =
    scope === 'all' || own
      ? sql`in (${sql.join(ids)})`
      : sql`in (select id from accounts where id in (${sql.join(ids)}) and reseller_user_id = ${scope.resellerUserId})`;
  const part = (kind: ProblemRow['kind'], columns: string, rest: string) =>
    sql`select ${sql.raw(columns.replace('KIND', `'${kind}' as kind`))} ${sql.raw(rest)} ${visible}`;
  const record = (table: string, name: string, reason: string) =>
    [
      `account_id, KIND, id, cast(${name} as char(255)) as name, cast(${reason} as char(4000)) as reason, updated_at as since, null as used, null as \`limit\``,
      `from \`${table}\``,
    ] as const;
  const of = (kind: ProblemRow['kind'], table: string, name: string, reason: string, condition: string) => {
    const [columns, from] = record(table, name, reason);
    return part(kind, columns, `${from} where state <> 'removing' and ${condition} and account_id`);
  };
  const limited = (kind: 'disk' | 'bandwidth', table: string, used: string, at: string, condition: string) =>
    part(
      kind,
      `accounts.id, KIND, accounts.id, cast(accounts.username as char(255)), null, ${at}, ${used}, ${kind}_limit_mb`,
      `from accounts inner join ${table} as measured on measured.account_id = accounts.id where ${condition} and accounts.id`,
    );
  const parts = [
    of('domain', 'domains', 'domain_name', 'status_reason', `status = 'failed'`),
    of(
      'certificate',
      'domains',
      'domain_name',
      'ssl_error',
      `(ssl_status = 'failed' or ssl_expires_at < now(6))`,
    ),
    of('app', 'apps', 'name', 'status_reason', `status = 'failed'`),
    of('database', 'databases', 'name', 'status_reason', `status = 'failed'`),
    part(
      'account',
      'id, KIND, id, cast(username as char(255)), cast(conditions as char(16000)), observed_at, null, null',
      `from accounts where outcome = 'failed' and pending = 0 and id`,
    ),
    limited(
      'disk',
      'usage_snapshots',
      'measured.disk_used_mb',
      'measured.taken_at',
      `measured.disk_used_mb >= ${DISK_NEARLY_FULL} * accounts.disk_limit_mb`,
    ),
    sql`${limited('bandwidth', 'bandwidth_monthly', 'measured.used_mb', 'measured.updated_at', 'measured.used_mb >= accounts.bandwidth_limit_mb')} and measured.month = ${month}`,
  ];
  const { rows } = await sql<ProblemRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
