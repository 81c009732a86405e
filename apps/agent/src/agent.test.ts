import { expect, test, vi } from 'vitest';
import { DRIFT_MS, startRig } from '../test/agent-rig.ts';
import { specOf } from '../test/specs.ts';
import { ControlPlaneError } from './control-plane/control-plane.ts';
import { FakeControlPlane } from './control-plane/fake.ts';

const account = (account_id: number, changes: Parameters<typeof specOf>[0] = {}) =>
  specOf({ account_id, uid: 20_000 + account_id, linux_user: `user${account_id}`, ...changes });

test('a node converges from its ledger while the control plane cannot be reached', async () => {
  const controlPlane = new FakeControlPlane();
  controlPlane.leave();
  const { node, agent } = await startRig({ controlPlane, known: [account(1), account(2)] });
  expect(node.parts.get('1 web')).toBe('active 512');
  expect(node.parts.get('2 web')).toBe('active 512');
  expect(agent.status()).toMatchObject({
    ready: false,
    reasons: ['The control plane has not accepted this agent yet.'],
    accounts: { total: 2, applied: 2 },
    reports_unsent: 2,
  });
});

test('the agent repeats Hello until it is accepted, and is then ready at once', async () => {
  const controlPlane = new FakeControlPlane();
  controlPlane.leave();
  controlPlane.accounts = [account(1)];
  const { agent, clock, settle } = await startRig({ controlPlane });
  clock.advance(60_000);
  await settle();
  expect(controlPlane.hellos).toEqual([]);
  controlPlane.away = undefined;
  clock.advance(60_000);
  await expect.poll(() => controlPlane.accounts).toEqual([]);
  expect(controlPlane.hellos).toHaveLength(1);
  expect(controlPlane.hellos[0]?.reserved_usernames).toContain('root');
  expect(agent.status()).toMatchObject({ ready: true, reasons: [] });
});

test('changes arrive by polling when every wake is lost', async () => {
  const { controlPlane, clock } = await startRig();
  controlPlane.accounts = [account(1)];
  clock.advance(11_000);
  await expect.poll(() => controlPlane.reports.map((report) => report.outcome)).toEqual(['applied']);
});

test('without NATS changes arrive within two seconds, by more frequent polls', async () => {
  const { controlPlane, clock, settle } = await startRig();
  controlPlane.loseDoorbell();
  for (const generation of [1, 2, 3]) {
    controlPlane.accounts = [account(1, { generation })];
    clock.advance(1_200);
    await expect.poll(() => controlPlane.reports.length).toBe(generation);
    await settle();
  }
  controlPlane.isDoorbellLost = false;
  clock.advance(1_200);
  await settle();
  const { pulls } = controlPlane;
  for (let second = 0; second < 7; second += 1) clock.advance(1_200);
  await settle();
  expect(controlPlane.pulls).toBe(pulls);
});

test('a wake for a generation that the ledger already has causes no pull', async () => {
  const { controlPlane, deliver } = await startRig();
  await deliver(account(1, { generation: 5 }));
  const pulls = controlPlane.pulls;
  controlPlane.wake({ account_id: 1, generation: 5 });
  controlPlane.wake({ account_id: 1, generation: 4 });
  expect(controlPlane.pulls).toBe(pulls);
});

test('heartbeats have the number of accounts, of accounts that are not converged, and the warnings of the server', async () => {
  const { node, controlPlane, clock, deliver } = await startRig({ serverWarnings: () => ['FOLDER_OPEN'] });
  node.onStep = (step) => {
    if (step === 'web apply 2') throw new Error('broken');
  };
  await deliver(account(1), account(2));
  clock.advance(16_500);
  await expect
    .poll(() => controlPlane.heartbeats.at(-1))
    .toEqual({
      accounts: 2,
      accounts_failed: 1,
      warnings: ['FOLDER_OPEN'],
      figures: { queue_waiting: 0 },
      settings_generation: 0,
      settings_problem: '',
    });
});

test('a superseded agent finishes the current step, applies nothing more, keeps running, and is not ready', async () => {
  const { node, controlPlane, clock, agent, settle } = await startRig();
  const { promise, resolve } = Promise.withResolvers<void>();
  node.onStep = (step) => (step === 'user apply 1' ? promise : undefined);
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await vi.waitFor(() => expect(node.steps).toContain('user apply 1'));
  controlPlane.supersede();
  resolve();
  await settle();
  clock.advance(DRIFT_MS * 3);
  agent.reconcileAll();
  await settle();
  expect(node.applied).toEqual(['user 1']);
  expect(controlPlane.reports).toEqual([]);
  expect(agent.status()).toMatchObject({
    ready: false,
    superseded: true,
    reasons: ['A later agent has taken this node over.'],
  });
});

test('an agent that learns from the answer to a call that it was superseded stops as well', async () => {
  const { node, controlPlane, clock, agent, deliver, settle } = await startRig();
  await deliver(account(1));
  node.steps.length = 0;
  controlPlane.away = new ControlPlaneError('superseded', 'A later agent has taken over.');
  clock.advance(16_500);
  await expect.poll(() => agent.status().superseded).toBe(true);
  clock.advance(DRIFT_MS * 3);
  await settle();
  expect(node.steps).toEqual([]);
});

test('a stop finishes the current step, and the next start continues', async () => {
  const rig = await startRig();
  const { node, controlPlane } = rig;
  const { promise, resolve } = Promise.withResolvers<void>();
  node.onStep = (step) => (step === 'user apply 1' ? promise : undefined);
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await vi.waitFor(() => expect(node.steps).toContain('user apply 1'));
  const stopped = rig.agent.stop();
  resolve();
  await stopped;
  expect(node.applied).toEqual(['user 1']);
  await rig.restart();
  expect(node.applied).toEqual(['user 1', 'slice 1', 'web 1']);
  expect(controlPlane.reports.map((report) => report.outcome)).toEqual(['applied']);
});

test('drift passes of a full node are spread over the interval', async () => {
  const known = Array.from({ length: 100 }, (_, index) => account(index + 1));
  const { node, clock, settle } = await startRig({ known, random: spreadEvenly() });
  for (let tenth = 0; tenth < 10; tenth += 1) {
    node.steps.length = 0;
    clock.advance(DRIFT_MS / 10);
    await settle();
    const looks = node.steps.filter((step) => step.startsWith('user observe')).length;
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(40);
  }
});

test('with more accounts than the interval has room for, drift passes start at five a second', async () => {
  const known = Array.from({ length: 200 }, (_, index) => account(index + 1));
  const { node, clock, settle } = await startRig({ known, driftIntervalMs: 10_000, random: spreadEvenly() });
  for (let tenth = 0; tenth < 10; tenth += 1) {
    node.steps.length = 0;
    clock.advance(4_000);
    await settle();
    const looks = node.steps.filter((step) => step.startsWith('user observe')).length;
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(60);
  }
});

function spreadEvenly(): () => number {
  let calls = 0;
  return () => {
    calls += 1;
    return (calls * 0.618) % 1;
  };
}
