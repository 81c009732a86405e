import { findAccountProblems, type ProblemRow } from '@innkeeper/db';
import { conditionSchema } from '@innkeeper/protocol';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { monthOf } from '../usage/month.ts';

/** Something of an account that needs attention. */
export interface Problem {
  account_id: number;
  /** `settings`: a part of the account that has no record of its own, named by `name`. */
  kind: 'domain' | 'certificate' | 'app' | 'database' | 'settings' | 'disk' | 'bandwidth';
  id: number;
  name: string;
  /** Message from the server. Null: it gave none. */
  reason: string | null;
  since: Date | null;
  /** For `disk` and `bandwidth`, in MiB. */
  used: number;
  limit: number;
  /** Whether the server itself tries again. */
  retries: boolean;
  /** When it does so at the earliest. Null: within a minute. */
  next_try_at: Date | null;
  /** The domain that it concerns. Null: the whole account, or a record without a site. */
  domain_id: number | null;
}

/** What a driver of the agent is called in a sentence. The drivers of records report their problem at the record. */
const settings: Readonly<Record<string, string>> = {
  cron: 'Cron jobs',
  quota: 'Disk limit',
  slice: 'CPU and memory limits',
  processes: 'Limit of processes',
  php: 'PHP',
  home: 'Home folder',
  user: 'Linux user',
  login: 'Terminal access',
  smtp: 'Mail access',
  traffic: 'Bandwidth measurement',
};

/** The record whose failure explains that of a driver. */
const recordOf: Readonly<Record<string, Problem['kind']>> = {
  web: 'domain',
  certificates: 'certificate',
  databases: 'database',
  app: 'app',
  'app-settings': 'app',
  programs: 'app',
  releases: 'app',
};

/** The problems of each account, from all of its records, in one SQL statement. An account without any is left out. */
export async function listProblems(
  ctx: Pick<ServiceContext, 'db' | 'actor' | 'now'>,
  { account_ids }: { account_ids: readonly number[] },
): Promise<Map<number, Problem[]>> {
  const rows = await findAccountProblems(ctx.db, scopeOf(ctx.actor), {
    accountIds: account_ids,
    month: monthOf(ctx.now()),
  });
  const found = new Map<number, Problem[]>();
  const add = (problem: Problem) =>
    found.set(problem.account_id, [...(found.get(problem.account_id) ?? []), problem]);
  const nextPasses = new Map(
    rows.flatMap(({ kind, account_id, next_try_at }) =>
      kind === 'account' ? [[account_id, next_try_at]] : [],
    ),
  );
  for (const row of rows)
    if (row.kind !== 'account') {
      const problem = problemOf(row);
      const next_try_at =
        row.kind === 'certificate' ? row.next_try_at : (nextPasses.get(row.account_id) ?? null);
      add({ ...problem, kind: row.kind, next_try_at: problem.retries ? next_try_at : null });
    }
  for (const row of rows)
    if (row.kind === 'account') {
      const kinds = new Set(found.get(row.account_id)?.map(({ kind }) => kind));
      for (const problem of ofSettings(row, kinds)) add(problem);
    }
  return found;
}

function problemOf({
  account_id,
  id,
  name,
  reason,
  since,
  next_try_at,
  used,
  limit,
  kind,
  domain_id,
}: ProblemRow) {
  const retries = kind !== 'disk' && kind !== 'bandwidth' && kind !== 'app';
  return {
    account_id,
    id,
    name,
    reason,
    since,
    next_try_at,
    used: Number(used),
    limit: Number(limit),
    retries,
    domain_id,
  };
}

/** How an agent begins the message of a part that it did not try, because another one must come first. */
const WAITS = 'Not attempted, because ';

/** The failing conditions of an account. A failing record explains those of its own driver. */
function ofSettings(row: ProblemRow, kinds: ReadonlySet<Problem['kind']>): Problem[] {
  const conditions = conditionSchema.array().safeParse(JSON.parse(row.reason ?? '[]')).data ?? [];
  const unapplied = conditions.filter(({ reason }) => reason !== 'Applied');
  const unexplained = unapplied.filter(({ type }) => !kinds.has(recordOf[type] ?? 'settings'));
  // What waits for another part is no cause. It is shown only if nothing else is.
  const begun = unexplained.filter(({ message }) => !message.startsWith(WAITS));
  const failing = begun.length > 0 || kinds.size > 0 ? begun : unexplained;
  const causes = failing.filter(({ reason }) => reason === 'Conflict' || reason === 'Refused');
  const shown = causes.length > 0 ? causes : failing;
  const of = (name: string, reason: string | null, retries: boolean): Problem => ({
    ...problemOf(row),
    kind: 'settings',
    name,
    reason,
    retries,
  });
  if (unapplied.length === 0) return [of('The newest change', null, true)];
  return shown.map(({ type, reason, message }) =>
    of(
      settings[type] ?? 'The newest change',
      message || null,
      reason === 'Retrying' || row.next_try_at !== null,
    ),
  );
}
