import { findFleetUsage, findServerUsage } from '@innkeeper/db';
import { slotsOfRange, USAGE_STEPS_S, usageSlotOf } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { listNodes } from '../nodes/list-nodes.ts';
import type { NodeView } from '../nodes/node-view.ts';
import { requireStaff } from '../scope.ts';
import { type HistoryPoint, historyOf } from '../usage/get-usage-history.ts';

export interface FleetServer {
  node: NodeView;
  /** Percent of all processors, by hour, over 24 hours. Null: not measured. */
  cpu: (number | null)[];
  /** The newest measurement of the last hour that has one. */
  memory: { used_mb: number; total_mb: number } | null;
  disk: { used_mb: number; total_mb: number } | null;
}

export interface Fleet {
  counts: { total: number; online: number; with_warnings: number; failing_accounts: number };
  /** Those that need attention first, then by name, at most `limit`. */
  servers: FleetServer[];
  /** Of all servers together, by hour, over 24 hours. */
  traffic: HistoryPoint<{ requests: number; errors: number }>[];
}

/** The state of all servers. Three SQL statements. For staff. */
export async function getFleet(ctx: OperatorContext, { limit }: { limit: number }): Promise<Fleet> {
  requireStaff(ctx);
  const nodes = await listNodes(ctx);
  const shown = nodes.toSorted((a, b) => urgencyOf(b) - urgencyOf(a)).slice(0, limit);
  const hours = [
    ...new Set(slotsOfRange('24h', ctx.now()).slots.map((slot) => usageSlotOf('hour', slot))),
  ].slice(-USAGE_STEPS_S.day / USAGE_STEPS_S.hour);
  const slots = { step: 'hour', slots: hours } as const;
  const [rows, sums] = await Promise.all([
    findServerUsage(ctx.db, { nodeIds: shown.map(({ id }) => id), ...slots }),
    findFleetUsage(ctx.db, slots),
  ]);
  const ofNodes = Map.groupBy(rows, ({ node_id }) => node_id);
  const bySlot = new Map(sums.map(({ slot, requests, errors }) => [slot, { requests, errors }]));
  return {
    counts: {
      total: nodes.length,
      online: nodes.filter(({ online }) => online).length,
      with_warnings: nodes.filter(({ warnings }) => warnings.length > 0).length,
      failing_accounts: nodes.reduce((sum, { accounts_failed }) => sum + accounts_failed, 0),
    },
    servers: shown.map((node) => ({ node, ...figuresOf(ofNodes.get(node.id) ?? [], hours) })),
    traffic: historyOf(
      hours,
      hours.map((hour) => bySlot.get(hour) ?? null),
    ),
  };
}

function urgencyOf({ state, warnings, accounts_failed }: NodeView): number {
  if (state === 'offline') return 3;
  return warnings.length > 0 ? 2 : Number(accounts_failed > 0);
}

function figuresOf(
  rows: Awaited<ReturnType<typeof findServerUsage>>,
  hours: readonly number[],
): Omit<FleetServer, 'node'> {
  const byHour = new Map(rows.map((row) => [row.slot, row]));
  const cpu = hours.map((hour) => {
    const { cpu_busy_ms, cpu_total_ms } = byHour.get(hour) ?? { cpu_busy_ms: 0, cpu_total_ms: 0 };
    return cpu_total_ms === 0 ? null : (cpu_busy_ms / cpu_total_ms) * 100;
  });
  const last = rows.toSorted((a, b) => a.slot - b.slot).at(-1);
  if (last === undefined) return { cpu, memory: null, disk: null };
  return {
    cpu,
    memory: { used_mb: last.memory_mb, total_mb: last.memory_total_mb },
    disk: { used_mb: last.disk_mb, total_mb: last.disk_total_mb },
  };
}
