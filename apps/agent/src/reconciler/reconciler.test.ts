import { expect, test, vi } from 'vitest';
import { DRIFT_MS, type Rig, startRig } from '../../test/agent-rig.ts';
import { domainOf, specOf } from '../../test/specs.ts';
import { conflict, HostError } from '../node/host-error.ts';
import { stepSignal } from '../node/step-signal.ts';

const account = (account_id: number, changes: Parameters<typeof specOf>[0] = {}) =>
  specOf({ account_id, uid: 20_000 + account_id, linux_user: `user${account_id}`, domains: [], ...changes });
const limitsWith = (ram_mb: number) => ({ limits: { ...account(1).limits, ram_mb } });

test('runs drivers in order for active, and in reverse for suspended and absent', async () => {
  const { node, deliver } = await startRig();
  await deliver(account(1));
  expect(node.applied).toEqual(['user 1', 'slice 1', 'web 1']);
  node.steps.length = 0;
  await deliver(account(1, { generation: 2, desired_state: 'suspended' }));
  expect(node.applied).toEqual(['web 1', 'slice 1', 'user 1']);
  node.steps.length = 0;
  await deliver(account(1, { generation: 3, desired_state: 'absent' }));
  expect(node.applied).toEqual(['web 1', 'slice 1', 'user 1']);
});

test('observes every driver again after its changes, and changes nothing of a converged account', async () => {
  const { node, deliver, agent, settle } = await startRig();
  await deliver(account(1));
  expect(node.steps.filter((step) => step.startsWith('slice'))).toEqual([
    'slice observe 1',
    'slice apply 1',
    'slice observe 1',
  ]);
  const made = node.changes.count;
  agent.reconcileAll();
  await settle();
  expect(node.changes.count).toBe(made);
  expect(node.steps.slice(-3)).toEqual(['user observe 1', 'slice observe 1', 'web observe 1']);
});

test('reports after the effect, with the generation and each driver’s time', async () => {
  const { node, controlPlane, deliver } = await startRig();
  const seen: string[] = [];
  controlPlane.onReport = () => void seen.push(node.parts.get('1 web') ?? 'nothing');
  await deliver(account(1, { generation: 7 }));
  expect(seen).toEqual(['active 512']);
  const [report] = controlPlane.reports;
  expect(report).toMatchObject({ account_id: 1, observed_generation: 7, outcome: 'applied' });
  expect(report?.conditions.map((condition) => `${condition.type} ${condition.reason}`)).toEqual([
    'user Applied',
    'slice Applied',
    'web Applied',
  ]);
  expect(Object.keys(report?.driver_ms ?? {})).toEqual(['user', 'slice', 'web']);
});

test('background work does not delay a generation: it is observed again and its progress reported', async () => {
  const { node, controlPlane, clock, deliver, settle } = await startRig();
  const building = { app_id: 3, status: 'building', reason: '', release_id: null } as const;
  node.work = { statuses: { apps: [building] }, observeAgainMs: 1_000 };
  await deliver(account(1));
  expect(controlPlane.reports).toMatchObject([{ outcome: 'applied', apps: [building] }]);
  clock.advance(1_000);
  await settle();
  expect(controlPlane.reports).toHaveLength(1);
  const running = { ...building, status: 'running', release_id: 7 } as const;
  node.work = { statuses: { apps: [running] }, observeAgainMs: undefined };
  clock.advance(1_000);
  await settle();
  expect(controlPlane.reports.at(-1)).toMatchObject({ outcome: 'applied', apps: [running] });
  const looks = node.steps.length;
  clock.advance(10_000);
  await settle();
  expect(node.steps).toHaveLength(looks);
});

test('reports domains as active, suspended or absent after the web driver', async () => {
  const { controlPlane, deliver } = await startRig();
  const domains = [
    domainOf(4, 'a.example.com'),
    domainOf(5, 'b.example.com', { is_primary: false, desired_state: 'absent' }),
  ];
  const statuses = () =>
    controlPlane.reports.at(-1)?.domains.map((domain) => [domain.domain_id, domain.status]);
  await deliver(account(1, { domains }));
  expect(statuses()).toEqual([
    [4, 'active'],
    [5, 'absent'],
  ]);
  await deliver(account(1, { domains, generation: 2, desired_state: 'suspended' }));
  expect(statuses()).toEqual([
    [4, 'suspended'],
    [5, 'absent'],
  ]);
});

test('never runs two passes of one account, and changes accounts concurrently up to the limit', async () => {
  const known = [1, 2, 3, 4].map((id) => account(id));
  const { node, agent, settle } = await startRig({ known, parallel: 2 });
  let together = 0;
  let most = 0;
  node.onStep = async (step) => {
    if (!step.includes(' apply ')) return;
    together += 1;
    most = Math.max(most, together);
    await new Promise((resolve) => setImmediate(resolve));
    together -= 1;
  };
  node.parts.clear();
  for (let times = 0; times < 5; times += 1) agent.reconcileAll();
  await settle();
  expect(node.parts.size).toBe(12);
  expect(most).toBe(2);
  expect(node.mostTogether).toBe(1);
});

test('makes shared changes together, whatever the limit of concurrent accounts', async () => {
  const known = [1, 2, 3, 4].map((id) => account(id));
  const { node, agent, settle } = await startRig({ known, parallel: 1 });
  node.shared.add('web');
  const [held, release] = hold();
  node.onStep = (step) => (step.startsWith('web apply') ? held : undefined);
  node.parts.clear();
  node.steps.length = 0;
  agent.reconcileAll();
  const published = () => node.steps.filter((step) => step.startsWith('web apply'));
  await vi.waitFor(() => expect(published()).toHaveLength(4)).finally(release);
  await settle();
  expect(node.parts.size).toBe(12);
});

test('a spec that arrives during a pass ends it between two steps; only the newest is reported', async () => {
  const rig = await startRig();
  const { node, controlPlane, ledger } = rig;
  const [held, release] = hold();
  node.onStep = (step) => (step === 'slice apply 1' ? held : undefined);
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await vi.waitFor(() => expect(node.steps).toContain('slice apply 1'));
  controlPlane.accounts = [account(1, { generation: 2, ...limitsWith(600) })];
  controlPlane.wake({ account_id: 1, generation: 2 });
  await vi.waitFor(() => expect(ledger.find(1)?.spec.generation).toBe(2));
  controlPlane.accounts = [account(1, { generation: 3, ...limitsWith(700) })];
  controlPlane.wake({ account_id: 1, generation: 3 });
  await vi.waitFor(() => expect(ledger.find(1)?.spec.generation).toBe(3));
  release();
  await rig.settle();
  expect(node.parts.get('1 web')).toBe('active 700');
  expect(controlPlane.reports.map((report) => report.observed_generation)).toEqual([3]);
});

test('a failed driver stops dependent drivers, which report it; retries have growing delays', async () => {
  const { node, clock, controlPlane, deliver, settle } = await startRig();
  let broken = true;
  node.onStep = (step) => {
    if (broken && step === 'slice apply 1') throw new HostError('Failed', 'systemd did not answer.');
  };
  await deliver(account(1));
  expect(controlPlane.reports.at(-1)).toMatchObject({
    outcome: 'progressing',
    conditions: [
      { type: 'user', reason: 'Applied' },
      { type: 'slice', reason: 'Retrying', message: 'systemd did not answer.' },
      {
        type: 'web',
        reason: 'Retrying',
        message: 'Not attempted, because slice failed and must come first.',
      },
    ],
  });
  const waits: (number | undefined)[] = [];
  for (let failure = 0; failure < 4; failure += 1) {
    const wait = waitOf(clock.waits, 100_000);
    waits.push(wait);
    clock.advance(wait);
    await settle();
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
  expect(node.applied).not.toContain('web 1');
  broken = false;
  clock.advance(8_000);
  await settle();
  expect(controlPlane.reports.at(-1)?.outcome).toBe('applied');
});

test('a failure that needs a human is reported as failed and checked again with the drift timer', async () => {
  const { node, clock, controlPlane, deliver, settle } = await startRig();
  let inTheWay = true;
  node.onStep = (step) => {
    if (inTheWay && step === 'user observe 1') throw conflict('The name belongs to another user.');
  };
  await deliver(account(1));
  expect(controlPlane.reports.at(-1)).toMatchObject({
    outcome: 'failed',
    conditions: [{ reason: 'Conflict' }, { reason: 'Failed' }, { reason: 'Failed' }],
  });
  const { next_pass_at = 0 } = controlPlane.reports.at(-1) ?? {};
  const inMs = next_pass_at * 1_000 - Date.now();
  expect([inMs > 0, inMs < 2 * DRIFT_MS]).toEqual([true, true]);
  const looks = () => node.steps.length;
  const before = looks();
  clock.advance(DRIFT_MS / 4);
  await settle();
  expect(looks()).toBe(before);
  inTheWay = false;
  clock.advance(DRIFT_MS);
  await settle();
  expect(controlPlane.reports.at(-1)?.outcome).toBe('applied');
});

test('a suspension removes all it can, although a driver has failed', async () => {
  const { node, controlPlane, deliver } = await startRig();
  await deliver(account(1));
  node.steps.length = 0;
  node.onStep = (step) => {
    if (step === 'web apply 1') throw new HostError('Failed', 'nginx refuses its configuration.');
  };
  await deliver(account(1, { generation: 2, desired_state: 'suspended' }));
  expect(node.applied).toEqual(['web 1', 'slice 1', 'user 1']);
  expect(controlPlane.reports.at(-1)?.outcome).toBe('progressing');
});

test('reports and retries damage in a home, and still applies the suspension', async () => {
  const { node, controlPlane, clock, deliver, settle } = await startRig();
  node.inHome.add('user');
  await deliver(account(1));
  let isSpoilt = true;
  node.onStep = (step) => {
    if (step === 'user apply 1' && isSpoilt) throw new HostError('Failed', 'It is a link.');
  };
  const suspended = account(1, { generation: 2, desired_state: 'suspended' });
  node.steps.length = 0;
  await deliver(suspended);
  // The round after the last change is the proof, as in any other suspension.
  expect(node.applied).toEqual(['web 1', 'slice 1', 'user 1', 'user 1']);
  expect(controlPlane.reports.at(-1)).toMatchObject({
    outcome: 'applied',
    conditions: [{ type: 'web' }, { type: 'slice' }, { reason: 'Retrying', message: 'It is a link.' }],
  });
  isSpoilt = false;
  clock.advance(1_000);
  await settle();
  expect(controlPlane.reports.at(-1)?.conditions).toMatchObject(Array(3).fill({ reason: 'Applied' }));
  isSpoilt = true;
  for (const desired_state of ['active', 'absent'] as const) {
    await deliver(account(1, { generation: desired_state === 'active' ? 3 : 4, desired_state }));
    expect(controlPlane.reports.at(-1)?.outcome).toBe('progressing');
  }
});

test('a suspension creates nothing for an account whose user cannot be created', async () => {
  const { node, controlPlane, deliver } = await startRig({ drivers: ['slice', 'user', 'web'] });
  node.onStep = (step) => {
    if (step === 'user observe 1') throw conflict('The name belongs to another user.');
  };
  await deliver(account(1, { desired_state: 'suspended' }));
  expect(node.applied).toEqual(['web 1']);
  expect(controlPlane.reports.at(-1)).toMatchObject({
    outcome: 'failed',
    conditions: [{ reason: 'Applied' }, { reason: 'Conflict' }, { type: 'slice', reason: 'Failed' }],
  });
});

test('a suspension that must first create the user still removes the login', async () => {
  const { node, controlPlane, deliver } = await startRig({ drivers: ['user', 'login'] });
  const userExists = () => node.parts.has('1 user');
  node.onStep = (step) => {
    if (step === 'login apply 1' && !userExists()) throw new HostError('Failed', 'There is no such user.');
  };
  await deliver(account(1, { desired_state: 'suspended' }));
  expect(node.parts.get('1 user')).toBe('suspended 512');
  expect(controlPlane.reports.at(-1)?.outcome).toBe('progressing');
});

test('removes what reappears during a removal before the account is absent', async () => {
  const { node, controlPlane, deliver } = await startRig();
  await deliver(account(1));
  node.onStep = (step) => {
    if (step === 'user apply 1') node.parts.set('1 slice', 'written by a process that still lived');
  };
  await deliver(account(1, { generation: 2, desired_state: 'absent' }));
  expect(controlPlane.reports.at(-1)?.outcome).toBe('absent');
  expect(node.parts).toEqual(new Map());
});

test('an account that changes in every removal round is not reported absent', async () => {
  const { node, controlPlane, deliver } = await startRig();
  await deliver(account(1));
  node.onStep = (step) => {
    if (step === 'user observe 1') node.parts.set('1 slice', 'written again and again');
  };
  await deliver(account(1, { generation: 2, desired_state: 'absent' }));
  expect(controlPlane.reports.at(-1)).toMatchObject({
    outcome: 'progressing',
    conditions: [{ type: 'web', reason: 'Applied' }, { type: 'slice', reason: 'Retrying' }, { type: 'user' }],
  });
});

test('a driver whose changes have no effect is a failure, with the remaining plan', async () => {
  const { node, controlPlane, deliver } = await startRig();
  node.onStep = (step) => {
    if (step === 'slice observe 1') node.parts.set('1 slice', 'nothing sticks');
  };
  await deliver(account(1));
  expect(controlPlane.reports.at(-1)?.conditions[1]).toEqual({
    type: 'slice',
    reason: 'Retrying',
    message: 'The change was applied, but these steps are still needed: slice to active 512.',
  });
});

test('an unexpected error is retried and refers operators to the log', async () => {
  const { node, controlPlane, deliver } = await startRig();
  node.onStep = (step) => {
    if (step === 'slice observe 1') throw new TypeError('undefined is not a function, and a $6$secret');
  };
  await deliver(account(1));
  const report = controlPlane.reports.at(-1);
  expect(report?.outcome).toBe('progressing');
  expect(JSON.stringify(report)).not.toContain('secret');
});

test('a full disk is one sentence, whatever failed, and is retried until there is room', async () => {
  const { node, clock, controlPlane, deliver, settle } = await startRig();
  let isFull = true;
  node.onStep = (step) => {
    if (isFull && step === 'slice observe 1')
      throw Object.assign(new Error('write of /etc/x failed'), { code: 'ENOSPC' });
  };
  await deliver(account(1));
  const report = controlPlane.reports.at(-1);
  expect(report?.outcome).toBe('progressing');
  expect(report?.conditions[1]).toMatchObject({
    reason: 'Retrying',
    message: expect.stringContaining('A disk of the server is full'),
  });
  isFull = false;
  clock.advance(2_000);
  await settle();
  expect(controlPlane.reports.at(-1)?.outcome).toBe('applied');
});

test('the drift timer repairs and counts manual changes, without a new report', async () => {
  const { node, clock, controlPlane, metrics, deliver, settle } = await startRig();
  await deliver(account(1));
  const reports = controlPlane.reports.length;
  node.parts.set('1 slice', 'changed by hand');
  clock.advance(DRIFT_MS * 1.1);
  await settle();
  expect(node.parts.get('1 slice')).toBe('active 512');
  expect(controlPlane.reports).toHaveLength(reports);
  const repaired = await metrics.driftRepaired.get();
  expect(repaired.values).toEqual([{ labels: { driver: 'slice' }, value: 1 }]);
});

test.each([
  ['and the agent stays', async () => {}],
  ['and the agent starts anew', async (rig: Rig) => rig.restart()],
])('the result of running work is not counted as drift: it ends %s', async (_, meanwhile) => {
  const rig = await startRig();
  const { node, clock } = rig;
  const drift = async () => (await rig.metrics.driftRepaired.get()).values;
  const app = { app_id: 3, status: 'building', reason: '', release_id: null } as const;
  node.work = { statuses: { apps: [app] }, observeAgainMs: 1_000 };
  await rig.deliver(account(1));
  await rig.settle();
  node.parts.set('1 slice', 'what the build has made');
  node.work = { statuses: { apps: [{ ...app, status: 'running' }] }, observeAgainMs: undefined };
  await meanwhile(rig);
  clock.advance(1_000);
  await rig.settle();
  expect(node.parts.get('1 slice')).toBe('active 512');
  expect(await drift()).toEqual([]);
  node.parts.set('1 slice', 'changed by hand');
  clock.advance(DRIFT_MS * 1.1);
  await rig.settle();
  expect(await drift()).toEqual([{ labels: { driver: 'slice' }, value: 1 }]);
});

test('a new spec does not wait behind routine observations', async () => {
  const known = Array.from({ length: 30 }, (_, index) => account(index + 1));
  const rig = await startRig({ known, parallel: 1 });
  const { node, controlPlane, agent } = rig;
  const [held, release] = hold();
  node.steps.length = 0;
  node.onStep = (step) => (step.startsWith('user observe') ? held : undefined);
  agent.reconcileAll();
  const underWay = agent.status().queue.running;
  controlPlane.accounts = [account(99)];
  controlPlane.wake({ account_id: 99, generation: 1 });
  await vi.waitFor(() => expect(agent.status().queue.waiting).toBe(31 - underWay)).finally(release);
  await rig.settle();
  const order = [...new Set(node.steps.map((step) => Number(step.split(' ')[2])))];
  expect(order.indexOf(99)).toBe(underWay);
});

function hold(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}

/** The shortest timer that does not belong to the session (heartbeat, poll). */
function waitOf(waits: number[], below: number): number {
  return waits.find((wait) => wait < below && wait !== 15_000 && wait !== 10_000) ?? Number.NaN;
}

/** Pending until the step is aborted. */
function untilEnded(): Promise<never> {
  const signal = stepSignal();
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new HostError('Failed', 'It was killed.')));
  });
}

test.each(['observe', 'apply'])(
  'a newer spec ends the running %s, and its result is not reported',
  async (what) => {
    const { node, controlPlane, settle } = await startRig();
    const step = `slice ${what} 1`;
    node.onStep = (begun) => (begun === step ? untilEnded() : undefined);
    controlPlane.accounts = [account(1)];
    controlPlane.wake({ account_id: 1, generation: 1 });
    await vi.waitFor(() => expect(node.steps).toContain(step));
    node.onStep = () => {};
    controlPlane.accounts = [account(1, { generation: 2, desired_state: 'suspended' })];
    controlPlane.wake({ account_id: 1, generation: 2 });
    await vi.waitFor(() => expect(controlPlane.reports).toHaveLength(1));
    await settle();
    expect(controlPlane.reports).toMatchObject([{ observed_generation: 2, outcome: 'applied' }]);
    expect(node.parts.get('1 slice')).toBe('suspended 512');
  },
);

test('kills processes of a suspended or removed account before the running pass ends', async () => {
  const { node, controlPlane, settle } = await startRig();
  const [held, release] = hold();
  node.onStep = (step) => (step === 'slice apply 1' ? held : undefined);
  controlPlane.accounts = [account(1)];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await vi.waitFor(() => expect(node.steps).toContain('slice apply 1'));
  expect(node.struck).toEqual([]);
  for (const [generation, desired_state] of [
    [2, 'suspended'],
    [3, 'absent'],
  ] as const) {
    const spec = account(1, { generation, desired_state });
    controlPlane.accounts = [spec];
    controlPlane.wake({ account_id: 1, generation });
    await vi.waitFor(() => expect(node.struck).toEqual(Array(generation - 1).fill(spec.uid)));
  }
  expect(node.applied).toEqual(['user 1', 'slice 1']);
  release();
  await settle();
});

test('slow changes do not delay those of other accounts', async () => {
  const known = [1, 2, 3].map((id) => account(id));
  const { node, agent, clock, settle } = await startRig({ known, parallel: 2 });
  const [held, release] = hold();
  node.parts.clear();
  node.onStep = (step) => (/^user apply [12]$/.test(step) ? held : undefined);
  node.steps.length = 0;
  agent.reconcileAll();
  await vi.waitFor(() => expect(node.steps.filter((step) => step.includes('apply'))).toHaveLength(2));
  clock.advance(2_000);
  await vi.waitFor(() => expect(node.parts.has('3 web')).toBe(true)).finally(release);
  await settle();
  expect(node.parts.size).toBe(9);
});
