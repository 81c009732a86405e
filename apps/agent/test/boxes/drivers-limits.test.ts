import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, startCronClock, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { visit } from './site.ts';

/** The limits of an account, measured: they apply to PHP, SSH and cron together, and to no other account. */
let server: AgentBox;
let box: Box;
let customers: Customers;
let generation = 1;
const CPU_PERCENT = 30;
const MAX_PROCESSES = 40;
const WRITE_MIB = 10;

const accountOf = (id: number, linux_user: string): AccountSpec =>
  specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    terminal_access: true,
    limits: {
      ...specOf({}).limits,
      cpu_percent: CPU_PERCENT,
      ram_mb: 256,
      io_write_mbps: WRITE_MIB,
      max_processes: MAX_PROCESSES,
    },
    domains: [domainOf(id, `${linux_user}.example.com`)],
  });
const greedy = accountOf(1, 'greedy');
const neighbour = accountOf(2, 'neighbour');

const page = (spec: AccountSpec) => `domains/${spec.linux_user}.example.com/public_html`;
const get = (spec: AccountSpec, path = '/') => visit(box.address, `${spec.linux_user}.example.com`, path);
const processesOf = async ({ uid }: AccountSpec) =>
  (await box.exec(['pgrep', '--uid', String(uid)])).stdout.split('\n').filter(Boolean);
const kernelFile = async (spec: AccountSpec, controller: string, file: string) => {
  const slice = `user.slice/user-${spec.uid}.slice/${file}`;
  const paths = [
    `/sys/fs/cgroup/${controller}/${slice}`,
    `/sys/fs/cgroup/unified/${slice}`,
    `/sys/fs/cgroup/${slice}`,
  ];
  return await box.require([
    'sh',
    '-c',
    `cat ${paths.map((path) => `${path} 2>/dev/null`).join(' || cat ')}`,
  ]);
};

beforeAll(async () => {
  server = await startAgentBox('limits');
  box = server.box;
  customers = await customersOf(box);
  for (const spec of [greedy, neighbour]) {
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    await customers.authorize(spec);
  }
  const probe = '<?php echo file_get_contents("/proc/self/cgroup");';
  await customers.write(greedy, `${page(greedy)}/cgroup.php`, probe);
  await customers.write(
    greedy,
    `${page(greedy)}/burn.php`,
    '<?php set_time_limit(0); for (;;) { $x = hash("sha256", "x"); }',
  );
  await customers.write(
    greedy,
    `${page(greedy)}/hog.php`,
    '<?php ini_set("memory_limit", "-1"); $x = str_repeat("x", 600 << 20); echo "lived";',
  );
});

afterAll(async () => {
  await customers.end();
  await server.remove();
});

beforeEach(async () => {
  await box.exec(['pkill', '-KILL', '--uid', String(greedy.uid)]);
});

describe('every process of an account', () => {
  test('runs in its slice (PHP, SSH sessions, cron jobs), and all of them together stay within the CPU limit', {
    timeout: 180_000,
  }, async () => {
    const cron = await startCronClock(box);
    const job = `* * * * * cat /proc/self/cgroup > ~/cron-cgroup; exec sh -c ': burn; while :; do :; done'\n`;
    await box.require(['crontab', '-u', greedy.linux_user, '-'], { input: job });
    const slice = `/user.slice/user-${greedy.uid}.slice/`;
    expect((await get(greedy, '/cgroup.php')).body).toContain(`${slice}innkeeper-php@${greedy.uid}.service`);
    expect((await customers.ssh(greedy, 'cat /proc/self/cgroup')).stdout).toContain(`${slice}session-`);

    void get(greedy, '/burn.php').catch(() => {});
    void customers.ssh(greedy, 'while :; do :; done', 170_000).catch(() => {});
    await cron.passMinute();
    const seen = await waitUntil(
      'the cron job',
      async () => {
        const { stdout } = await box.exec(['cat', `/home/${greedy.linux_user}/cron-cgroup`]);
        return stdout.includes(slice) && stdout;
      },
      { timeoutMs: 75_000, everyMs: 250 },
    );
    await box.require(['crontab', '-u', greedy.linux_user, '-r']);
    expect(seen).toContain(`${slice}session-`);

    await waitUntil('PHP and both sessions to burn', async () => {
      const burners = await box.require([
        'sh',
        '-c',
        `for pid in $(pgrep --uid ${greedy.uid}); do tail -n 1 /proc/$pid/cgroup; done`,
      ]);
      expect(burners).toContain('.service\n');
      expect(new Set(burners.match(/session-\d+\.scope/g)).size).toBe(2);
      return true;
    });

    const usage = async () => {
      const stat = await kernelFile(greedy, 'unified', 'cpu.stat');
      return { at: performance.now(), microseconds: Number(/^usage_usec (\d+)$/m.exec(stat)![1]) };
    };
    const before = await usage();
    // The test measures a time window; there is no condition to wait for.
    await waitUntil('the window to pass', () => performance.now() - before.at > 8_000);
    const after = await usage();
    const percent = (after.microseconds - before.microseconds) / (after.at - before.at) / 10;
    expect(percent).toBeGreaterThan(CPU_PERCENT * 0.95);
    expect(percent).toBeLessThan(CPU_PERCENT * 1.05);
    expect((await get(neighbour)).status).toBe(200);
  });

  test('stays within the memory limit: the process that exceeds it is killed, another account is not affected', async () => {
    expect((await get(neighbour)).status).toBe(200);
    const neighbours = await processesOf(neighbour);
    const session = await customers.ssh(greedy, `perl -e '$x = "x" x (600 << 20); print "lived"'`);
    expect(session.exitCode).not.toBe(0);
    expect(session.stdout).not.toContain('lived');
    const answer = await get(greedy, '/hog.php');
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await get(greedy, '/cgroup.php')).status).toBe(200);
    expect(await processesOf(neighbour)).toEqual(expect.arrayContaining(neighbours));
  });

  test('is limited to the account’s write rate', async () => {
    const mib = 40;
    const { stdout, exitCode } = await customers.ssh(
      greedy,
      `dd if=/dev/zero of=big bs=1M count=${mib} oflag=direct 2>&1; rm big`,
      60_000,
    );
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    const seconds = Number(/, ([\d.]+) s, /.exec(stdout)![1]);
    expect(mib / seconds).toBeLessThan(WRITE_MIB * 1.1);
    expect(mib / seconds).toBeGreaterThan(WRITE_MIB * 0.5);
  });

  test('stays within the process limit: a fork bomb stops there, and a suspension ends it within 5 s', async () => {
    void customers
      .ssh(greedy, 'bomb() { bomb | bomb & }; bomb; while :; do (setsid sleep 1000 &) ; done', 60_000)
      .catch(() => {});
    const tasks = async () => Number(await kernelFile(greedy, 'pids', 'pids.current'));
    await waitUntil('the bomb to reach the limit', async () => (await tasks()) >= MAX_PROCESSES - 1);
    // Counted by uid: the kernel's own counter is above the limit while it refuses a fork.
    for (let look = 0; look < 20; look += 1)
      expect((await processesOf(greedy)).length).toBeLessThanOrEqual(MAX_PROCESSES);
    expect((await get(neighbour)).status).toBe(200);
    expect(await customers.ssh(neighbour, 'echo let in')).toMatchObject({ exitCode: 0, stdout: 'let in\n' });

    generation += 1;
    const startedAt = performance.now();
    const suspended = await server.settle({ ...greedy, generation, desired_state: 'suspended' });
    expect(suspended).toMatchObject({ outcome: 'applied' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await processesOf(greedy)).toEqual([]);
    expect((await get(greedy)).status).toBe(503);
    expect(await customers.ssh(greedy, 'true')).toMatchObject({ exitCode: 255 });
  });

  test('returns when the account is unsuspended', async () => {
    generation += 1;
    expect(await server.settle({ ...greedy, generation })).toMatchObject({ outcome: 'applied' });
    expect((await get(greedy, '/cgroup.php')).status).toBe(200);
    expect(await customers.ssh(greedy, 'true')).toMatchObject({ exitCode: 0 });
  });
});
