import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { onTestFinished, vi } from 'vitest';
import { type Agent, type AgentDeps, startAgent } from '../src/agent.ts';
import { FakeControlPlane } from '../src/control-plane/fake.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { FakeClock } from '../src/node/fake-clock.ts';
import { createLog } from '../src/node/log.ts';
import { FakeNode } from '../src/reconciler/fake-drivers.ts';
import { createMetrics } from '../src/status/metrics.ts';
import { testSeal } from './test-seal.ts';

export const DRIFT_MS = 300_000;
const OFTEN = { timeout: 4_000, interval: 2 };

/** An agent in which only the host, the clock and the control plane are fakes. The ledger's folder is real. */
export interface Rig {
  node: FakeNode;
  clock: FakeClock;
  controlPlane: FakeControlPlane;
  metrics: ReturnType<typeof createMetrics>;
  folder: string;
  ledger: Ledger;
  agent: Agent;
  /** Sets these specs on the control plane, wakes the agent, and waits until each has been reported. */
  deliver(...specs: unknown[]): Promise<void>;
  /** Stops the agent and starts another one on the same folder and node. */
  restart(): Promise<void>;
  /** Resolves when only work that waits for the clock is left. */
  settle(): Promise<void>;
}

export async function startRig(
  options: {
    parallel?: number;
    drivers?: string[];
    driftIntervalMs?: number;
    controlPlane?: FakeControlPlane;
    known?: AccountSpec[];
    random?: () => number;
    serverReasons?: () => readonly string[];
    serverWarnings?: () => readonly string[];
    settings?: AgentDeps['settings'];
  } = {},
): Promise<Rig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-'));
  const node = new FakeNode(options.drivers);
  const clock = new FakeClock();
  const controlPlane = options.controlPlane ?? new FakeControlPlane();
  const open = async () => {
    const ledger = await Ledger.open(folder, testSeal);
    const metrics = createMetrics('0.0.0-test');
    const agent = startAgent({
      version: '0.0.0-test',
      config: {
        pollIntervalMs: undefined,
        driftIntervalMs: options.driftIntervalMs ?? DRIFT_MS,
        phpIdleMs: 300_000,
        parallelAccounts: options.parallel ?? 8,
      },
      controlPlane,
      host: node.host,
      driversFor: node.driversFor,
      sweepIdlePhp: async () => 0,
      serverReasons: () => options.serverReasons?.() ?? [],
      serverWarnings: () => options.serverWarnings?.() ?? [],
      settings: options.settings ?? { generation: 0, problem: '', receive: async () => {} },
      figures: () => ({ queue_waiting: 0 }),
      ledger,
      metrics,
      clock,
      random: options.random ?? (() => 0.5),
      log: createLog('fatal'),
    });
    return { ledger, metrics, agent };
  };
  const before = await Ledger.open(folder, testSeal);
  for (const spec of options.known ?? []) await before.accept(spec);
  const rig: Rig = {
    node,
    clock,
    controlPlane,
    folder,
    ...(await open()),
    async deliver(...specs) {
      controlPlane.accounts = specs;
      controlPlane.wake({ account_id: 0, generation: Number.MAX_SAFE_INTEGER });
      await vi.waitFor(() => {
        if (controlPlane.accounts.length > 0) throw new Error('Some account has not been reported yet.');
      }, OFTEN);
      await rig.settle();
    },
    async restart() {
      await rig.agent.stop();
      Object.assign(rig, await open());
      await taken(rig);
    },
    async settle() {
      let quiet = 0;
      while (quiet < 3) {
        await rig.agent.idle();
        await new Promise((resolve) => setImmediate(resolve));
        quiet = isQuiet(rig) ? quiet + 1 : 0;
      }
    },
  };
  onTestFinished(async () => {
    node.onStep = () => {};
    await rig.agent.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await taken(rig);
  return rig;
}

/** Waits until the control plane, if reachable, has accepted Hello and answered a pull. */
async function taken(rig: Rig): Promise<void> {
  if (rig.controlPlane.away === undefined)
    await vi.waitFor(() => {
      if (rig.agent.status().last_pull_at === null) throw new Error('The agent has not asked yet.');
    }, OFTEN);
  await rig.settle();
}

function isQuiet({ agent, controlPlane }: Rig): boolean {
  const { queue, reports_unsent } = agent.status();
  return queue.running + queue.waiting === 0 && (reports_unsent === 0 || controlPlane.away !== undefined);
}
