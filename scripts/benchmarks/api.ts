import { deepStrictEqual } from 'node:assert';
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
import { buildBundles } from '../build.ts';
import { type MeasuredEndpoint, measuredEndpoints } from './api/endpoints.ts';
import { type BenchPanel, startPanel } from './api/panel.ts';
import { type MeasuredServer, pinBeside, runLoad } from './api/processes.ts';
import { type Comparison, printHead, printRow } from './api/report.ts';
import { refreshUsage } from './api/seed.ts';
import { median } from './statistics.ts';

const STATE_DIR = join(import.meta.dirname, '../../.run-bench');
const MANY = 100_000;
const FEW = 1_000;
const CONNECTIONS = 16;
/** Of the first round of an endpoint, and of the others. */
const WARM_UP_REQUESTS = [3_000, 100] as const;
const MEASURED_MS = 2_000;

/** What one server did in one round. */
export interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  statements: number;
  cpuUs: number;
}

/**
 * Loads the API with 100,000 accounts, its floor, and the API with 1,000 accounts, turn by turn, one endpoint
 * after the other. Prints medians of the rounds.
 */
export async function benchApi(rounds: number, only: string): Promise<void> {
  await buildBundles(['innkeeper-api']);
  await removeInstallation(STATE_DIR);
  await using parts = new AsyncDisposableStack();
  parts.defer(() => removeInstallation(STATE_DIR));
  const state = await mountStateDir(STATE_DIR);
  const logDir = join(state.path, 'log');
  await mkdir(logDir, { recursive: true });
  const mariadb = await startMariadb(state);
  await asRoot(mariadb, 'set global innodb_buffer_pool_size = 1024 * 1024 * 1024');
  const pid = await findDaemon(join(state.path, 'pids'), 'mariadb');
  if (pid !== undefined) await pinBeside(pid);

  console.log(`api: inserting ${MANY} and ${FEW} accounts`);
  const many = await startPanel(mariadb, logDir, MANY);
  parts.defer(() => many.stop());
  const few = await startPanel(mariadb, logDir, FEW);
  parts.defer(() => few.stop());

  printHead(rounds, CONNECTIONS);
  for (const endpoint of measuredEndpoints.filter(({ name }) => name.includes(only))) {
    await Promise.all([refreshUsage(many.db), refreshUsage(few.db)]);
    await requireSameAnswer(endpoint, many);
    printRow(endpoint, await compare(mariadb, endpoint, many, few, rounds));
  }
}

async function compare(
  mariadb: DatabaseServer,
  endpoint: MeasuredEndpoint,
  many: BenchPanel,
  few: BenchPanel,
  rounds: number,
): Promise<Comparison> {
  const seen: Record<keyof Comparison, Round[]> = { ours: [], floor: [], few: [] };
  for (let round = 0; round < rounds; round += 1) {
    const warmUpRequests = WARM_UP_REQUESTS[round === 0 ? 0 : 1];
    const ask = async (panel: BenchPanel, server: MeasuredServer) =>
      await measure(mariadb, { endpoint, panel, server, warmUpRequests });
    seen.ours.push(await ask(many, many.api));
    seen.floor.push(await ask(many, many.floor));
    seen.few.push(await ask(few, few.api));
    if (process.stdout.isTTY) process.stdout.write(`\r${endpoint.name} ${round + 1}/${rounds} `);
  }
  return { ours: medians(seen.ours), floor: medians(seen.floor), few: medians(seen.few) };
}

async function measure(
  mariadb: DatabaseServer,
  {
    endpoint,
    panel,
    server,
    warmUpRequests,
  }: { endpoint: MeasuredEndpoint; panel: BenchPanel; server: MeasuredServer; warmUpRequests: number },
): Promise<Round> {
  const [statements, cpuMs] = [await countStatements(mariadb), await server.cpuMs()];
  const load = await runLoad({
    port: server.port,
    connections: CONNECTIONS,
    warmUpRequests,
    measuredMs: MEASURED_MS,
    requests: endpoint.requests(panel.accounts),
    callers: endpoint.isPublic ? panel.strangers : panel.callers,
  });
  return {
    ...load,
    statements: ((await countStatements(mariadb)) - statements) / load.answered,
    cpuUs: (((await server.cpuMs()) - cpuMs) * 1_000) / load.answered,
  };
}

/** A floor that answers something else would be none. */
async function requireSameAnswer(endpoint: MeasuredEndpoint, panel: BenchPanel): Promise<void> {
  if (!endpoint.isRead) return;
  const [request] = endpoint.requests(panel.accounts);
  const ask = async ({ port }: MeasuredServer): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}${request?.path}`, {
      headers: { Authorization: panel.callers[0]?.value ?? '' },
    });
    return { ...((await response.json()) as Record<string, unknown>), time: undefined };
  };
  deepStrictEqual(await ask(panel.floor), await ask(panel.api), `the floor of ${endpoint.name}`);
}

function medians(rounds: readonly Round[]): Round {
  const of = (part: keyof Round) => median(rounds.map((round) => round[part]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    statements: of('statements'),
    cpuUs: of('cpuUs'),
  };
}

/** Of all clients since the server's start; the questions of this count among them. */
async function countStatements(mariadb: DatabaseServer): Promise<number> {
  return Number((await asRoot(mariadb, "show global status like 'Questions'")).split(/\s+/).at(-1));
}

async function asRoot({ socketPath }: DatabaseServer, input: string): Promise<string> {
  const client = ['mariadb', '--no-defaults', '--batch', '--skip-column-names', `--socket=${socketPath}`];
  return (await requireProgram(client, { input })).stdout.trim();
}
