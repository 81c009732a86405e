import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ControlPlaneServer } from '../test/control-plane-server.ts';
import { specOf } from '../test/specs.ts';
import { testSeal } from '../test/test-seal.ts';
import { type Agent, startAgent } from './agent.ts';
import { enroll } from './commands/enroll.ts';
import { ControlPlaneClient } from './control-plane/control-plane-client.ts';
import { findIdentity } from './control-plane/identity-store.ts';
import { Ledger } from './ledger/ledger.ts';
import { systemClock } from './node/clock.ts';
import { createLog } from './node/log.ts';
import { FakeNode } from './reconciler/fake-drivers.ts';
import { createMetrics } from './status/metrics.ts';

/** The agent's core with its real transport. Only the host is a fake. */
let folder: string;
let server: ControlPlaneServer;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agent-'));
  server = await ControlPlaneServer.start('127.0.0.1');
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, `${server.joinToken()}\n`);
  const said: string[] = [];
  const write = (text: string) => void said.push(text);
  expect(await enroll({ tokenFile, control: undefined, stateDir: folder, write })).toBe(0);
  expect(said).toEqual(['enrolled as test (node 1)\n']);
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(node: FakeNode, ledgerName = 'ledger'): Promise<Agent> {
  const log = createLog('fatal');
  const identity = await findIdentity(folder);
  const controlPlane = new ControlPlaneClient({
    identity: identity!,
    stateDir: folder,
    control: undefined,
    log,
  });
  const agent = startAgent({
    version: '0.0.0-test',
    config: { pollIntervalMs: undefined, driftIntervalMs: 60_000, phpIdleMs: 300_000, parallelAccounts: 8 },
    controlPlane,
    host: node.host,
    driversFor: node.driversFor,
    serverReasons: () => [],
    serverWarnings: () => [],
    settings: { generation: 0, problem: '', receive: async () => {} },
    figures: () => ({}),
    sweepIdlePhp: async () => 0,
    ledger: await Ledger.open(path.join(folder, ledgerName), testSeal),
    metrics: createMetrics('0.0.0-test'),
    clock: systemClock,
    random: Math.random,
    log,
  });
  ends.push(async () => {
    await agent.stop();
    await controlPlane.close();
  });
  return agent;
}

test('an enrolled agent applies the desired state over gRPC and reports it, up to the removal of the account', async () => {
  const node = new FakeNode();
  const agent = await start(node);
  const spec = specOf({});
  server.want(spec);
  await expect.poll(() => server.reportOf(1, 1)?.outcome, { timeout: 5_000 }).toBe('applied');
  expect(server.reportOf(1, 1)).toMatchObject({ domains: [{ domain_id: '1', status: 'active' }] });
  server.want({ ...spec, generation: 2, desired_state: 'absent' });
  await expect.poll(() => server.reportOf(1, 2)?.outcome, { timeout: 5_000 }).toBe('absent');
  await expect.poll(() => agent.status().accounts.total).toBe(0);
  expect(node.parts.size).toBe(0);
});

test('a malicious spec is refused, and other accounts are still applied', async () => {
  const node = new FakeNode();
  await start(node);
  server.want(specOf({ account_id: 1 }), { uid: 0 });
  server.want(specOf({ account_id: 2 }), { account_id: '18446744073709551615' });
  server.want(specOf({ account_id: 3, uid: 20_003, linux_user: 'third' }));
  server.want(specOf({ account_id: 4 }), { generation: '9007199254740993' });
  await expect.poll(() => server.reportOf(3, 1)?.outcome, { timeout: 5_000 }).toBe('applied');
  await expect.poll(() => server.reportOf(1, 1)?.outcome).toBe('failed');
  expect(server.reportOf(1, 1)?.conditions[0]?.message).toMatch(/^uid: /);
  expect([...node.parts.keys()].every((part) => part.startsWith('3 '))).toBe(true);
});

test('of two agents with one identity the later one is accepted; the earlier one keeps running and applies nothing', async () => {
  const first = new FakeNode();
  const earlier = await start(first);
  await expect.poll(() => earlier.status().ready, { timeout: 5_000 }).toBe(true);
  const second = new FakeNode();
  const later = await start(second, 'other-ledger');
  await expect.poll(() => earlier.status().superseded, { timeout: 10_000 }).toBe(true);
  server.want(specOf({}));
  await expect.poll(() => server.reportOf(1, 1)?.outcome, { timeout: 5_000 }).toBe('applied');
  expect(first.steps).toEqual([]);
  expect(later.status().superseded).toBe(false);
});
