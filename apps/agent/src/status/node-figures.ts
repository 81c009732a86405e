import { readFile, statfs } from 'node:fs/promises';
import { freemem, loadavg, totalmem } from 'node:os';
import type { NodeFigures } from '@innkeeper/protocol';
import type { AgentStatus } from './agent-status.ts';
import type { Metrics } from './metrics.ts';

/** Older figures are not sent: a gap is more honest than a value that stands still. */
const OLDEST_MS = 60_000;
/** Ticks of /proc/stat in a second (USER_HZ, the same on every architecture of Debian). */
const TICKS_A_SECOND = 100;
const IDLE_FIELDS: ReadonlySet<number> = new Set([3, 4]);
/** `guest` and `guest_nice` are part of `user` and `nice`. */
const FIELDS = 8;

interface FiguresDeps {
  readonly mail: () => NodeFigures;
  readonly metrics: Metrics;
  readonly status: () => AgentStatus;
  /** Folder with the homes. */
  readonly homes: string;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

/**
 * Returns a function that answers at once with the newest figures, and begins to read the next ones. Reading the file
 * system of the homes can hang (a lost network disk), and a heartbeat does not wait for it.
 */
export function watchNodeFigures(deps: FiguresDeps): () => NodeFigures {
  let latest: NodeFigures = {};
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async () => {
    latest = await readNodeFigures(deps);
    readAt = deps.now();
  };
  return () => {
    if (reading === undefined)
      reading = read()
        .catch(() => {})
        .finally(() => {
          reading = undefined;
        });
    return deps.now() - readAt > OLDEST_MS ? {} : latest;
  };
}

/** Rejects when /proc or the file system of the homes cannot be read. */
export async function readNodeFigures({ metrics, status, homes, mail }: FiguresDeps): Promise<NodeFigures> {
  const [disk, stat, drift, lost, refused, trafficRead] = await Promise.all([
    statfs(homes),
    readFile('/proc/stat', 'utf8'),
    ...[metrics.driftRepaired, metrics.trafficLost, metrics.trafficRefused, metrics.trafficRead].map(sumOf),
  ] as const);
  const { accounts, queue, reports_unsent, ledger_quarantined } = status();
  return {
    accounts_progressing: accounts.progressing,
    queue_waiting: queue.waiting,
    reports_unsent,
    ledger_quarantined_files: ledger_quarantined,
    drift_repaired_total: drift!,
    traffic_lost_files_total: lost!,
    traffic_refused_lines_total: refused!,
    traffic_read_timestamp_seconds: trafficRead!,
    agent_start_timestamp_seconds: Math.round(Date.now() / 1_000 - process.uptime()),
    agent_resident_memory_bytes: process.memoryUsage.rss(),
    cpu_busy_seconds_total: busySecondsOf(stat),
    load_average_1m: loadavg()[0]!,
    memory_bytes: totalmem(),
    memory_available_bytes: freemem(),
    homes_bytes: disk.blocks * disk.bsize,
    homes_available_bytes: disk.bavail * disk.bsize,
    ...mail(),
    homes_inodes: disk.files,
    homes_available_inodes: disk.ffree,
  };
}

/** Time that all processors worked, in seconds, from the text of /proc/stat. */
export function busySecondsOf(stat: string): number {
  const [first = ''] = stat.split('\n', 1);
  const ticks = first
    .trim()
    .split(/\s+/)
    .slice(1, FIELDS + 1)
    .map(Number);
  const busy = ticks.reduce((sum, count, at) => (IDLE_FIELDS.has(at) ? sum : sum + count), 0);
  return busy / TICKS_A_SECOND;
}

async function sumOf(metric: Metrics['driftRepaired' | 'trafficRead']): Promise<number> {
  const { values } = await metric.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}
