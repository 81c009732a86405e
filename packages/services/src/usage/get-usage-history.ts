import { type AccountUsageRow, findAccountUsage, findSiteUsage } from '@innkeeper/db';
import {
  DomainError,
  keptSiteDays,
  slotsOfRange,
  USAGE_RANGES,
  USAGE_STEPS_S,
  type UsageRange,
} from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { foldRows, highestOf, lastOf, sumOf } from './fold-rows.ts';

/** What was used from a time on, for as long as one point of a chart covers. Null: nothing was measured. */
export interface HistoryPoint<Figures> {
  at: Date;
  figures: Figures | null;
}

export interface AccountFigures {
  /** Percent of one core, on average over the measured time. */
  cpu_percent: number;
  /** Highest sample. */
  memory_mb: number;
  /** At the end. Null: not measured. */
  disk_mb: number | null;
  sent_bytes: number;
  requests: number;
  /** Requests that were answered with a status of 500 or above. */
  errors: number;
}

/** The usage of an account over a range, oldest first. One SQL statement. Throws `not_found`. */
export async function getUsageHistory(
  ctx: Pick<ServiceContext, 'db' | 'actor' | 'now'>,
  { account_id, range }: { account_id: number; range: UsageRange },
): Promise<HistoryPoint<AccountFigures>[]> {
  const { slots, points } = slotsOfRange(range, ctx.now());
  const { step, pointS } = USAGE_RANGES[range];
  const rows = await findAccountUsage(ctx.db, scopeOf(ctx.actor), { accountId: account_id, step, slots });
  if (rows === undefined) throw new DomainError('not_found', `There is no account ${account_id}.`);
  return historyOf(points, foldRows(rows, { points, pointS }, accountFigures));
}

export function historyOf<Figures>(
  points: readonly number[],
  figures: readonly (Figures | null)[],
): HistoryPoint<Figures>[] {
  return points.map((start, at) => ({ at: new Date(start * 1_000), figures: figures[at] ?? null }));
}

function accountFigures(rows: readonly AccountUsageRow[]): AccountFigures {
  const measuredS = sumOf(rows, ({ measured_s }) => measured_s);
  return {
    cpu_percent: sumOf(rows, ({ cpu_ms }) => cpu_ms) / measuredS / 10,
    memory_mb: highestOf(rows, ({ memory_mb }) => memory_mb),
    disk_mb: lastOf(rows, ({ disk_mb }) => disk_mb),
    sent_bytes: sumOf(rows, ({ sent_bytes }) => sent_bytes),
    requests: sumOf(rows, ({ requests }) => requests),
    errors: sumOf(rows, ({ errors }) => errors),
  };
}

export interface TrafficFigures {
  sent_bytes: number;
  requests: number;
  errors: number;
}

const DAYS_SHOWN = 30;

/**
 * The traffic of a site on each of the last 30 days (UTC), today included. A day without a request is null: nothing is
 * stored for it. One SQL statement. Throws `not_found`.
 */
export async function getSiteTraffic(
  ctx: Pick<ServiceContext, 'db' | 'actor' | 'now'>,
  { domain_id }: { domain_id: number },
): Promise<HistoryPoint<TrafficFigures>[]> {
  const today = Math.floor(ctx.now().getTime() / 1_000 / USAGE_STEPS_S.day) * USAGE_STEPS_S.day;
  const days = keptSiteDays(ctx.now())
    .filter((day) => day <= today)
    .slice(-DAYS_SHOWN);
  const rows = await findSiteUsage(ctx.db, scopeOf(ctx.actor), { domainId: domain_id, days });
  if (rows === undefined) throw new DomainError('not_found', `There is no domain ${domain_id}.`);
  const byDay = new Map(rows.map(({ slot, ...figures }) => [slot, figures]));
  return historyOf(
    days,
    days.map((day) => byDay.get(day) ?? null),
  );
}
