import { mkdir, rm } from 'node:fs/promises';
import type { AccountReport } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { DRIFT_MS, startRig } from '../../test/agent-rig.ts';
import { entriesIn } from '../../test/ledger-folder.ts';
import { specOf } from '../../test/specs.ts';
import { ControlPlaneError } from '../control-plane/control-plane.ts';

const account = (account_id: number, changes: Parameters<typeof specOf>[0] = {}) =>
  specOf({ account_id, uid: 20_000 + account_id, linux_user: `user${account_id}`, ...changes });
const said = (reports: AccountReport[]) =>
  reports.map((report) => [report.account_id, report.observed_generation, report.outcome]);

test('keeps the newest report of each account until the control plane accepts it', async () => {
  const { ledger, controlPlane, clock, agent, deliver, settle, restart } = await startRig();
  await deliver(account(1), account(2));
  controlPlane.reports.length = 0;
  controlPlane.onReport = () => controlPlane.leave();
  for (const [generation, desired_state] of [[2, 'suspended'] as const, [3, 'active'] as const]) {
    controlPlane.away = undefined;
    controlPlane.accounts = [account(1, { generation, desired_state })];
    controlPlane.wake({ account_id: 1, generation });
    await expect.poll(() => ledger.find(1)?.spec.generation).toBe(generation);
    controlPlane.leave();
    await settle();
  }
  clock.advance(60_000);
  await settle();
  expect(controlPlane.reports).toEqual([]);
  expect(agent.status().reports_unsent).toBe(1);
  controlPlane.onReport = () => {};
  controlPlane.comeBack();
  await settle();
  expect(said(controlPlane.reports)).toEqual([[1, 3, 'applied']]);
  await restart();
  expect(controlPlane.reports).toHaveLength(1);
});

test('creates a report again that a crash lost', async () => {
  const { controlPlane, ledger, restart } = await startRig();
  controlPlane.onReport = () => controlPlane.leave();
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await expect.poll(() => controlPlane.away).toBeDefined();
  expect(ledger.find(1)?.accepted_report).toBeNull();
  controlPlane.away = undefined;
  controlPlane.onReport = () => {};
  controlPlane.accounts = [];
  await restart();
  expect(said(controlPlane.reports)).toEqual([[1, 1, 'applied']]);
});

test('an absent account stays in the ledger until its report is accepted, and is reported after every restart', async () => {
  const { folder, controlPlane, node, deliver, restart } = await startRig();
  await deliver(account(1));
  controlPlane.onReport = () => controlPlane.leave();
  controlPlane.accounts = [account(1, { generation: 2, desired_state: 'absent' })];
  controlPlane.wake({ account_id: 1, generation: 2 });
  await expect.poll(() => controlPlane.away).toBeDefined();
  expect(node.parts.size).toBe(0);
  expect(await entriesIn(folder)).toEqual(['1.json']);
  controlPlane.accounts = [];
  controlPlane.onReport = () => {};
  await restart();
  expect(await entriesIn(folder)).toEqual(['1.json']);
  controlPlane.comeBack();
  await expect.poll(() => entriesIn(folder)).toEqual([]);
  expect(said(controlPlane.reports).at(-1)).toEqual([1, 2, 'absent']);
});

test('an absent account that the control plane does not know leaves the ledger', async () => {
  const { folder, controlPlane, deliver } = await startRig();
  await deliver(account(1));
  controlPlane.onReport = (report) => {
    if (report.outcome !== 'absent') return;
    controlPlane.accounts = [];
    throw new ControlPlaneError('not_found', 'There is no such account.');
  };
  controlPlane.accounts = [account(1, { generation: 2, desired_state: 'absent' })];
  controlPlane.wake({ account_id: 1, generation: 2 });
  await expect.poll(() => entriesIn(folder)).toEqual([]);
});

test('leaves an account alone that the control plane does not know', async () => {
  const { node, controlPlane, ledger, clock, deliver, agent, settle } = await startRig();
  await deliver(account(1));
  controlPlane.onReport = () => {
    throw new ControlPlaneError('not_found', 'There is no such account.');
  };
  node.parts.set('1 web', 'changed by hand');
  node.onStep = (step) => {
    if (step === 'user observe 1') throw new Error('so that there is something new to say');
  };
  agent.reconcileAll();
  await settle();
  expect(ledger.find(1)).toBeDefined();
  node.onStep = () => {};
  clock.advance(DRIFT_MS);
  await settle();
  expect(node.parts.get('1 web')).toBe('active 512');
});

test('does not repeat a report that will never be accepted', async () => {
  const { controlPlane, clock, metrics, settle } = await startRig();
  let tries = 0;
  controlPlane.onReport = () => {
    tries += 1;
    controlPlane.accounts = [];
    throw new ControlPlaneError('refused', 'The report is malformed.');
  };
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await expect.poll(() => tries).toBe(1);
  clock.advance(DRIFT_MS / 4);
  await settle();
  expect(tries).toBe(1);
  expect((await metrics.reportErrors.get()).values).toEqual([{ labels: { retried: 'false' }, value: 1 }]);
});

test('reports again when the control plane sends the same spec again', async () => {
  const { node, controlPlane, deliver } = await startRig();
  await deliver(account(1));
  const made = node.changes.count;
  await deliver(account(1));
  expect(said(controlPlane.reports)).toEqual([
    [1, 1, 'applied'],
    [1, 1, 'applied'],
  ]);
  expect(node.changes.count).toBe(made);
});

test('a spec that cannot be stored changes nothing and is requested again', async () => {
  const { node, folder, controlPlane, metrics, clock } = await startRig();
  await rm(folder, { recursive: true });
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await expect.poll(async () => (await metrics.pullErrors.get()).values[0]?.value).toBe(1);
  expect(node.steps).toEqual([]);
  await mkdir(folder);
  clock.advance(11_000);
  await expect.poll(() => said(controlPlane.reports)).toEqual([[1, 1, 'applied']]);
});

test('a rejected report delays no other, and is sent again within seconds', async () => {
  const { controlPlane, clock, deliver, settle } = await startRig();
  await deliver(account(1), account(2));
  let tries = 0;
  controlPlane.reports.length = 0;
  controlPlane.onReport = ({ account_id }) => {
    if (account_id !== 1) return;
    tries += 1;
    if (tries < 9) throw new ControlPlaneError('unavailable', 'The database does not answer for this one.');
  };
  controlPlane.accounts = [account(1, { generation: 2 })];
  controlPlane.wake({ account_id: 1, generation: 2 });
  await expect.poll(() => tries).toBe(1);
  for (let generation = 2; generation < 10; generation += 1) {
    controlPlane.accounts.push(account(2, { generation }));
    controlPlane.wake({ account_id: 2, generation });
    await expect.poll(() => said(controlPlane.reports).at(-1)).toEqual([2, generation, 'applied']);
    const before = tries;
    clock.advance(3_600);
    await expect.poll(() => tries).toBeGreaterThan(before);
  }
  await settle();
  expect(tries).toBeLessThan(20);
  expect(said(controlPlane.reports)).toContainEqual([1, 2, 'applied']);
});

test('tries one report at a time until one is accepted, then sends all', async () => {
  const { controlPlane, clock, deliver, settle } = await startRig();
  const ids = Array.from({ length: 30 }, (_, at) => at + 1);
  await deliver(...ids.map((id) => account(id)));
  controlPlane.reports.length = 0;
  const tries: number[] = [];
  let isAway = true;
  controlPlane.onReport = ({ account_id }) => {
    tries.push(account_id);
    if (isAway) throw new ControlPlaneError('unavailable', 'The database does not answer.');
  };
  controlPlane.accounts = ids.map((id) => account(id, { generation: 2 }));
  controlPlane.wake({ account_id: 1, generation: 2 });
  await expect.poll(() => tries.length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const first = tries.length;
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(tries.length - first).toBeLessThan(20);
  isAway = false;
  clock.advance(3_600);
  await settle();
  expect(new Set(said(controlPlane.reports).map(([id]) => id)).size).toBe(30);
});
