import { type Kysely, type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
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
  /** When the server tries it again. Null: not known. */
  next_try_at: Date | null;
  /** For `disk` and `bandwidth`, in MiB. */
  used: number | null;
  limit: number | null;
  /** The domain of the record. Null: it belongs to no site. */
  domain_id: number | null;
}

type Wanted = { accountIds: readonly number[]; month: string };

/**
 * Everything of the accounts that failed or reached a limit. One SQL statement, each part by an index on the account.
 * Accounts outside the scope and records that are being removed are left out.
 */
export async function findAccountProblems(
  db: Kysely<Database>,
  scope: Scope,
  { accountIds, month }: Wanted,
): Promise<ProblemRow[]> {
  const isOwn = scope !== 'all' && 'accountId' in scope;
  const wanted = {
    month,
    accountIds: isOwn ? accountIds.filter((id) => id === scope.accountId) : accountIds,
  };
  if (wanted.accountIds.length === 0) return [];
  const { rows } =
    scope === 'all' || isOwn
      ? await findAny(db, wanted)
      : await findManaged(db, { ...wanted, resellerUserId: scope.resellerUserId });
  return rows;
}

const findAny = compileOnce((db, wanted: Wanted) =>
  problemsOf(db, wanted.month, () => sql`in (${wanted.accountIds})`),
);
const findManaged = compileOnce((db, wanted: Wanted & { resellerUserId: number }) =>
  problemsOf(
    db,
    wanted.month,
    () =>
      sql`in (select id from accounts where id in (${wanted.accountIds}) and reseller_user_id = ${wanted.resellerUserId})`,
  ),
);

/** `visible`: the condition on an account's id. */
function problemsOf(db: Kysely<Database>, month: string, visible: () => RawBuilder<unknown>) {
  const part = (kind: ProblemRow['kind'], columns: string, rest: string) =>
    sql`select ${sql.raw(columns.replace('KIND', `'${kind}' as kind`))} ${sql.raw(rest)} ${visible()}`;
  const ofRecord = (
    kind: ProblemRow['kind'],
    table: string,
    {
      name,
      reason,
      failed,
      site,
      since = 'updated_at',
      next = 'null',
    }: { name: string; reason: string; failed: string; site: string; since?: string; next?: string },
  ) =>
    part(
      kind,
      `account_id, KIND, id, cast(${name} as char(255)) as name, cast(${reason} as char(4000)) as reason,
        ${since} as since, ${next} as next_try_at, null as used, null as \`limit\`, ${site} as domain_id`,
      `from \`${table}\` where state <> 'removing' and ${failed} and account_id`,
    );
  const ofLimit = (kind: 'disk' | 'bandwidth', table: string, used: string, at: string, share: number) =>
    part(
      kind,
      `accounts.id, KIND, accounts.id, cast(accounts.username as char(255)), null, ${at}, null, ${used}, ${kind}_limit_mb, null`,
      `from accounts inner join ${table} as measured on measured.account_id = accounts.id
        where measured.${used} >= ${share} * accounts.${kind}_limit_mb and accounts.id`,
    );
  const isInsecure = `(ssl_status = 'failed' or ssl_expires_at < now(6))`;
  const parts = [
    ofRecord('domain', 'domains', {
      name: 'domain_name',
      reason: 'status_reason',
      failed: `status = 'failed'`,
      site: 'id',
    }),
    ofRecord('certificate', 'domains', {
      name: 'domain_name',
      reason: 'ssl_error',
      failed: isInsecure,
      site: 'id',
      since: 'if(ssl_expires_at < now(6), ssl_expires_at, coalesce(ssl_failing_since, updated_at))',
      next: 'ssl_next_attempt_at',
    }),
    ofRecord('app', 'apps', {
      name: 'name',
      reason: 'status_reason',
      failed: `status = 'failed'`,
      site: 'domain_id',
    }),
    ofRecord('database', 'databases', {
      name: 'name',
      reason: 'status_reason',
      failed: `status = 'failed'`,
      site: 'null',
    }),
    part(
      'account',
      'id, KIND, id, cast(username as char(255)), cast(conditions as char(16000)), coalesce(failing_since, observed_at), next_pass_at, null, null, null',
      `from accounts where outcome = 'failed' and pending = 0 and id`,
    ),
    ofLimit('disk', 'usage_snapshots', 'disk_used_mb', 'taken_at', DISK_NEARLY_FULL),
    sql`${ofLimit('bandwidth', 'bandwidth_monthly', 'used_mb', 'measured.updated_at', 1)} and measured.month = ${month}`,
  ];
  return sql<ProblemRow>`${sql.join(parts, sql` union all `)}`.compile(db);
}
