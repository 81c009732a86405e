import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DatabaseServer,
  findDaemon,
  mountStateDir,
  removeInstallation,
  requireProgram,
  startMariadb,
} from '@innkeeper/testkit/machine';
import { median } from '../statistics.ts';
import type { LoadOrder } from './load.ts';
import { type MeasuredServer, pinBeside, runLoad } from './processes.ts';

const STATE_DIR = join(import.meta.dirname, '../../../.run-bench');
/** Number of connections that a load keeps busy. */
export const CONNECTIONS = 16;
/** Warm-up requests in the first round of a request, and in the later rounds. */
const WARM_UP_REQUESTS = [3_000, 100] as const;
const MEASURED_MS = 2_000;

/** Results of one server in one round. */
export interface Round {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Per request, like the CPU time. */
  statements: number;
  cpuUs: number;
}

/**
 * Starts a durable MariaDB with memory for 100,000 accounts, not on the measured CPU. `parts` removes it with its
 * state. The simulated node and NATS stay free to use every CPU: a node has a machine of its own, and must not wait for
 * the database's CPU.
 */
export async function startBenchDatabase(
  parts: AsyncDisposableStack,
): Promise<{ mariadb: DatabaseServer; logDir: string }> {
  await removeInstallation(STATE_DIR);
  parts.defer(() => removeInstallation(STATE_DIR));
  const state = await mountStateDir(STATE_DIR);
  const logDir = join(state.path, 'log');
  await mkdir(logDir, { recursive: true });
  const mariadb = await startMariadb(state);
  await asRoot(mariadb, 'set global innodb_buffer_pool_size = 1024 * 1024 * 1024');
  const pid = await findDaemon(join(state.path, 'pids'), 'mariadb');
  if (pid !== undefined) await pinBeside(pid);
  return { mariadb, logDir };
}

/** Loads `server` for a short time. `round` starts at 0. */
export async function measureRound(
  mariadb: DatabaseServer,
  server: MeasuredServer,
  round: number,
  order: Pick<LoadOrder, 'requests' | 'callers'>,
): Promise<Round> {
  const [statements, cpuMs] = [await countStatements(mariadb), await server.cpuMs()];
  const load = await runLoad({
    port: server.port,
    connections: CONNECTIONS,
    warmUpRequests: WARM_UP_REQUESTS[round === 0 ? 0 : 1],
    measuredMs: MEASURED_MS,
    ...order,
  });
  return {
    ...load,
    statements: ((await countStatements(mariadb)) - statements) / load.answered,
    cpuUs: (((await server.cpuMs()) - cpuMs) * 1_000) / load.answered,
  };
}

export function medians(rounds: readonly Round[]): Round {
  const of = (part: keyof Round) => median(rounds.map((round) => round[part]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    statements: of('statements'),
    cpuUs: of('cpuUs'),
  };
}

/** Counts the statements of all clients since the server's start, including the queries of this function. */
async function countStatements(mariadb: DatabaseServer): Promise<number> {
  return Number((await asRoot(mariadb, "show global status like 'Questions'")).split(/\s+/).at(-1));
}

async function asRoot({ socketPath }: DatabaseServer, input: string): Promise<string> {
  const client = ['mariadb', '--no-defaults', '--batch', '--skip-column-names', `--socket=${socketPath}`];
  return (await requireProgram(client, { input })).stdout.trim();
}
