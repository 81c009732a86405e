import { deepStrictEqual } from 'node:assert';
import type { DatabaseServer } from '@innkeeper/testkit/machine';
import { buildBundles } from '../build.ts';
import { type BenchControlPlane, startBenchControlPlane } from './api/control-plane.ts';
import { type MeasuredEndpoint, measuredEndpoints } from './api/endpoints.ts';
import { CONNECTIONS, measureRound, medians, type Round, startBenchDatabase } from './api/measure.ts';
import type { MeasuredServer } from './api/processes.ts';
import { type Comparison, printHead, printRow } from './api/report.ts';
import { refreshUsage } from './api/seed.ts';

const MANY = 100_000;
const FEW = 1_000;

/**
 * Loads the API and its floor with 100,000 accounts, and both with 1,000, alternately, one endpoint after the other.
 * Prints the medians of the rounds.
 */
export async function benchApi(rounds: number, only: string): Promise<void> {
  await buildBundles(['innkeeper-api']);
  await using parts = new AsyncDisposableStack();
  const { mariadb, logDir } = await startBenchDatabase(parts);

  console.log(`api: inserting ${MANY} and ${FEW} accounts`);
  const many = await startBenchControlPlane(mariadb, logDir, MANY);
  parts.defer(() => many.stop());
  const few = await startBenchControlPlane(mariadb, logDir, FEW);
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
  many: BenchControlPlane,
  few: BenchControlPlane,
  rounds: number,
): Promise<Comparison> {
  const seen: Record<keyof Comparison, Round[]> = { ours: [], floor: [], few: [], fewFloor: [] };
  for (let round = 0; round < rounds; round += 1) {
    const ask = async (controlPlane: BenchControlPlane, server: MeasuredServer) => {
      await endpoint.undo?.(controlPlane.db);
      return await measureRound(mariadb, server, round, {
        requests: endpoint.requests(controlPlane.accounts),
        callers: endpoint.isPublic ? controlPlane.strangers : controlPlane.callers,
      });
    };
    seen.ours.push(await ask(many, many.api));
    seen.floor.push(await ask(many, many.floor));
    seen.few.push(await ask(few, few.api));
    seen.fewFloor.push(await ask(few, few.floor));
    if (process.stdout.isTTY) process.stdout.write(`\r${endpoint.name} ${round + 1}/${rounds} `);
  }
  return {
    ours: medians(seen.ours),
    floor: medians(seen.floor),
    few: medians(seen.few),
    fewFloor: medians(seen.fewFloor),
  };
}

/** A floor with a different answer would not be a valid floor. */
async function requireSameAnswer(endpoint: MeasuredEndpoint, controlPlane: BenchControlPlane): Promise<void> {
  if (!endpoint.isRead) return;
  const [request] = endpoint.requests(controlPlane.accounts);
  const ask = async ({ port }: MeasuredServer): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}${request?.path}`, {
      headers: { Authorization: controlPlane.callers[0]?.value ?? '' },
    });
    return { ...((await response.json()) as Record<string, unknown>), time: undefined };
  };
  deepStrictEqual(
    await ask(controlPlane.floor),
    await ask(controlPlane.api),
    `the floor of ${endpoint.name}`,
  );
}
