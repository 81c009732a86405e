import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, type CronClock, startCronClock, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';

/** Cron jobs, run by Debian's cron: exactly as written, in the account's slice, and not while they are disabled. */
let server: AgentBox;
let box: Box;
let cron: CronClock;
const A_MINUTE_AND_MORE = { timeoutMs: 100_000 };

const long = `printf '%s' '${'x'.repeat(1_950)}é' > long.txt`;

const commands: readonly string[] = [
  'cat /proc/self/cgroup > cgroup.txt',

  `printf '%s' "50 %% é \\"quoted\\" $((6*7))" > percent.txt`,
  long,
  'echo said; echo wrong >&2; exit 3',
  'head -c 3000000 /dev/zero',
  'touch disabled.txt',
  'date +%s > time.txt; env > env.txt',
];

const spec: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'ticker',
  domains: [],
  cron_jobs: commands.map((command, at) => ({
    cron_job_id: at + 1,
    schedule: '* * * * *',
    command,
    enabled: !command.includes('disabled'),
  })),
});

const file = async (name: string) => (await box.exec(['cat', `/home/ticker/${name}`])).stdout;
const exists = async (name: string) =>
  (await box.exec(['test', '-e', `/home/ticker/${name}`])).exitCode === 0;

beforeAll(async () => {
  server = await startAgentBox('cron');
  box = server.box;
  cron = await startCronClock(box);
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
});

afterAll(() => server.remove());

test('commands run exactly as given, in the slice, and their output is kept', async () => {
  expect(long.length).toBeLessThanOrEqual(2_000);
  await cron.passMinute();
  await waitUntil(
    'the jobs',
    async () => (await file('logs/cron-5.log')).includes('exit code'),
    A_MINUTE_AND_MORE,
  );
  await waitUntil('the job', async () => (await file('logs/cron-4.log')).includes('exit code'));
  await waitUntil('the time', async () => (await file('env.txt')) !== '');
  // The clock of this test is cron's alone: a job has the real time.
  expect(await file('env.txt')).not.toMatch(/LD_PRELOAD|FAKETIME/);
  expect(Math.abs(Number(await file('time.txt')) - Date.now() / 1_000)).toBeLessThan(30);
  expect(await file('cgroup.txt')).toContain('/user.slice/user-20001.slice/');
  expect(await file('percent.txt')).toBe('50 %% é "quoted" 42');
  expect(await file('long.txt')).toBe(`${'x'.repeat(1_950)}é`);
  expect(await file('logs/cron-4.log')).toMatch(
    /^--- [-0-9 :]+ start\nsaid\nwrong\n\n--- [-0-9 :]+ end, exit code 3\n/,
  );
  expect(await exists('disabled.txt')).toBe(false);
  const size = Number(await box.require(['stat', '-c', '%s', '/home/ticker/logs/cron-5.log']));
  expect(size).toBeGreaterThan(1_000_000);
  expect(size).toBeLessThan(1_100_000);
}, 120_000);

test('only the account can read its command', async () => {
  const reads = (uid: number) =>
    box.exec([
      'setpriv',
      '--reuid',
      `${uid}`,
      '--regid',
      `${uid}`,
      '--clear-groups',
      'cat',
      '/etc/innkeeper/cron/20001/1',
    ]);
  expect((await reads(20_001)).stdout).toBe(commands[0]);
  expect((await reads(20_002)).exitCode).not.toBe(0);
});

test('sends no mail, and runs no job of a suspended account', async () => {
  await server.settle({ ...spec, generation: 2, desired_state: 'suspended' });
  await box.require(['rm', '-f', '/home/ticker/percent.txt']);
  // Another account's job shows that cron's minute has passed.
  const other = specOf({
    account_id: 2,
    uid: 20_002,
    linux_user: 'clock',
    domains: [],
    cron_jobs: [{ cron_job_id: 99, schedule: '* * * * *', command: 'touch ticked', enabled: true }],
  });
  await server.settle(other);
  await cron.passMinute();
  await waitUntil(
    'cron',
    async () => (await box.exec(['test', '-e', '/home/clock/ticked'])).exitCode === 0,
    A_MINUTE_AND_MORE,
  );
  expect(await exists('percent.txt')).toBe(false);
  expect((await box.exec(['ls', '-A', '/var/mail'])).stdout).toBe('');
}, 120_000);

test('jobs return when the account is active again, and changed jobs replace the previous ones', async () => {
  const cron_jobs = [
    { cron_job_id: 3, schedule: '* * * * *', command: 'echo new > percent.txt', enabled: true },
  ];
  expect(await server.settle({ ...spec, generation: 3, cron_jobs })).toMatchObject({ outcome: 'applied' });
  await cron.passMinute();
  await waitUntil('the job', async () => (await file('percent.txt')) === 'new\n', A_MINUTE_AND_MORE);
  expect((await box.require(['ls', '/etc/innkeeper/cron/20001'])).trim()).toBe('3');
}, 120_000);

test('does not start a job while its previous run continues, also when that run left background processes', async () => {
  const command = 'echo run >> runs.txt; sleep 300 & while [ ! -e finish ]; do sleep 0.1; done';
  const cron_jobs = [{ cron_job_id: 7, schedule: '0 0 1 1 *', command, enabled: true }];
  expect(await server.settle({ ...spec, generation: 4, cron_jobs })).toMatchObject({ outcome: 'applied' });
  const as = [
    'setpriv',
    '--reuid',
    '20001',
    '--regid',
    '20001',
    '--clear-groups',
    'env',
    'HOME=/home/ticker',
  ];
  const run = (...before: string[]) => box.exec([...before, ...as, '/usr/lib/innkeeper/run-cron-job', '7']);
  const runs = async () => (await file('runs.txt')).split('\n').filter(Boolean).length;
  const begin = () => run('systemd-run', '--quiet', '--collect', '--');
  await begin();
  await waitUntil('the first run', async () => (await runs()) === 1);
  expect((await run()).exitCode).toBe(0);
  expect(await runs()).toBe(1);
  expect(await file('logs/cron-7.log')).toMatch(/not started: the previous run has not ended\n$/);
  await box.require([...as, 'touch', '/home/ticker/finish']);
  await waitUntil('the second run', async () => {
    await begin();
    return (await runs()) > 1;
  });
  await box.exec(['pkill', '--uid', '20001']);
}, 60_000);

test('nothing of the jobs is left when the account is removed', async () => {
  expect(await server.settle({ ...spec, generation: 5, desired_state: 'absent' })).toMatchObject({
    outcome: 'absent',
  });
  expect(await findRemains(box, spec, ['run-cron-job 3'])).toEqual([]);
});
