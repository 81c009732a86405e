import { findServerUsage, type ServerUsageRow } from '@innkeeper/db';
import { slotsOfRange, USAGE_RANGES, type UsageRange } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';
import { foldRows, highestOf, sumOf } from '../usage/fold-rows.ts';
import { type HistoryPoint, historyOf } from '../usage/get-usage-history.ts';

export interface ServerFigures {
  /** Percent of all processors, on average over the measured time. */
  cpu_percent: number;
  /** Highest samples, and the sizes then. */
  memory_mb: number;
  memory_total_mb: number;
  disk_mb: number;
  disk_total_mb: number;
  /** Highest load average of one minute. */
  load: number;
  /** Sent to visitors in the point's time. */
  sent_bytes: number;
  requests_per_s: number;
  errors_per_s: number;
  /** Most accounts with a process at the same time. */
  running_accounts: number;
}

/** The usage of a server over a range, oldest first. One SQL statement. For staff. */
export async function getServerHistory(
  ctx: Pick<OperatorContext, 'db' | 'actor' | 'now'>,
  { node_id, range }: { node_id: number; range: UsageRange },
): Promise<HistoryPoint<ServerFigures>[]> {
  requireStaff(ctx);
  const { slots, points } = slotsOfRange(range, ctx.now());
  const { step, pointS } = USAGE_RANGES[range];
  const rows = await findServerUsage(ctx.db, { nodeIds: [node_id], step, slots });
  return historyOf(points, foldRows(rows, { points, pointS }, serverFigures));
}

function serverFigures(rows: readonly ServerUsageRow[]): ServerFigures {
  const measuredS = sumOf(rows, ({ measured_s }) => measured_s);
  const cpuMs = sumOf(rows, ({ cpu_total_ms }) => cpu_total_ms);
  return {
    cpu_percent: cpuMs === 0 ? 0 : (sumOf(rows, ({ cpu_busy_ms }) => cpu_busy_ms) / cpuMs) * 100,
    memory_mb: highestOf(rows, ({ memory_mb }) => memory_mb),
    memory_total_mb: highestOf(rows, ({ memory_total_mb }) => memory_total_mb),
    disk_mb: highestOf(rows, ({ disk_mb }) => disk_mb),
    disk_total_mb: highestOf(rows, ({ disk_total_mb }) => disk_total_mb),
    load: highestOf(rows, ({ load_percent }) => load_percent) / 100,
    sent_bytes: sumOf(rows, ({ sent_bytes }) => sent_bytes),
    requests_per_s: sumOf(rows, ({ requests }) => requests) / measuredS,
    errors_per_s: sumOf(rows, ({ errors }) => errors) / measuredS,
    running_accounts: highestOf(rows, ({ running_accounts }) => running_accounts),
  };
}
