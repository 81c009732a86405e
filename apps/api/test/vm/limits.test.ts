import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { findTraces } from '../boxes/find-traces.ts';
import { proves } from './proof.ts';
import { createTenant, LIMITS, SLOW_MS, type Tenant, terminate } from './tenant.ts';
import { type Use, useVirtualServer } from './virtual-server.ts';

/**
 * Every limit of an account on a kernel with cgroup v2 and disk quotas, with an agent that `install.sh` installed and
 * accounts that the REST API created. PHP, SSH sessions and cron jobs of an account together stay within each limit, and
 * its neighbour does not notice. The tests depend on each other.
 */
const MIB = 1_048_576;
const CPU_PERCENT = 30;
const MAX_PROCESSES = 40;
const MIB_PER_S = 5;
const IOPS = 100;

let use: Use;
let greedy: Tenant;
let neighbour: Tenant;

beforeAll(async () => {
  use = await useVirtualServer();
  greedy = await createTenant(use, 'greedy', {
    max_processes: MAX_PROCESSES,
  });
  neighbour = await createTenant(use, 'neighbour');
  await greedy.publish('burn.php', '<?php set_time_limit(0); for (;;) hash("sha256", "x");');
  await greedy.publish(
    'hog.php',
    '<?php ini_set("memory_limit", "-1"); $x = str_repeat("x", 600 << 20); echo "lived";',
  );
  await greedy.publish(
    'fill.php',
    `<?php $file = fopen('filling', 'w'); $part = str_repeat('x', 1 << 20); error_clear_last();
      for ($at = 0; $at < 300 && error_get_last() === null; $at++) @fwrite($file, $part);
      echo error_get_last()['message']; unlink('filling');`,
  );
});

afterAll(async () => {
  await use?.end();
});

const slice = ({ uid }: Tenant, file: string) => `/sys/fs/cgroup/user.slice/user-${uid}.slice/${file}`;

/** CPU time in percent of one core, over a window. */
async function cpuPercent(tenant: Tenant, windowMs: number): Promise<number> {
  const look = async () => {
    const [uptime, usage] = (
      await use.guest.require(['cat', '/proc/uptime', slice(tenant, 'cpu.stat')])
    ).split('\n', 2);
    return { atMs: Number(uptime!.split(' ')[0]) * 1_000, us: Number(usage!.replace('usage_usec ', '')) };
  };
  const before = await look();
  const until = performance.now() + windowMs;
  await waitUntil('the window to pass', () => performance.now() > until, { timeoutMs: windowMs * 2 });
  const after = await look();
  return (after.us - before.us) / (after.atMs - before.atMs) / 10;
}

/** Seconds that dd took. */
const secondsOf = (output: string) => Number(/, ([\d.]+) s, /.exec(output)?.[1]);

proves(
  'a server with an agent from install.sh',
  'an account that the REST API creates has its site when it is synced',
  async (saw) => {
    const { status, body } = await neighbour.get();
    expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining(neighbour.site) });
    const version = await use.guest.require(['cat', '/sys/fs/cgroup/cgroup.controllers']);
    saw(`status ${status}, cgroup v2 with ${version.trim()}`);
  },
);

proves(
  'a program fills the disk space of its account',
  'writes fail with EDQUOT (errno 122) in SSH sessions and in PHP, and the neighbour still writes',
  async (saw) => {
    const perl = `perl -e 'open my $f, ">", "filling" or die; syswrite($f, "x" x 1048576) // do { print $!+0; exit } for 1..300'; rm filling`;
    const session = await greedy.ssh(perl);
    expect(session.stdout).toBe('122');
    const { body } = await greedy.get('/fill.php');
    expect(body).toMatch(/Disk quota exceeded|errno=122/);
    expect((await neighbour.ssh('head -c 10M /dev/zero > file && rm file')).exitCode).toBe(0);
    saw(`SSH: errno ${session.stdout}; PHP: ${body.trim().slice(0, 120)}`);
  },
);

proves(
  'a new disk limit while a file is open',
  'the open file gets the new space, or no more, without reopening it',
  async (saw) => {
    const script = `perl -e '$| = 1; open my $f, ">", "growing" or die;
      for (1..80) { last unless syswrite($f, "x" x 1048576) } print "first ", -s "growing", "\\n"; <STDIN>;
      for (1..40) { last unless syswrite($f, "x" x 1048576) } print $!+0, " ", -s "growing", "\\n"'`;
    const growing = greedy.ssh(`(sleep 20; echo) | ${script}; rm growing`);
    await waitUntil(
      'the first part',
      async () => {
        const { stdout } = await use.guest.exec(['stat', '-c', '%s', `/home/${greedy.username}/growing`]);
        return Number(stdout) >= 80 * MIB;
      },
      { timeoutMs: SLOW_MS, everyMs: 250 },
    );
    await greedy.setLimits({ disk_limit_mb: 100 });
    const { stdout } = await growing;
    expect(stdout).toMatch(/^122 /m);
    saw(stdout.trim().split('\n').at(-1)!);
  },
);

proves(
  'endless loops in PHP, an SSH session and a cron job',
  'all of them together get the CPU limit of their account, a new limit applies to running ones, the neighbour’s site answers',
  async (saw) => {
    const job = await use.api.post<{ data: { id: number } }>('/cron-jobs', {
      hosting_account_id: greedy.id,
      ...{ name: 'Burn', schedule: '* * * * *', command: `php domains/${greedy.site}/public_html/burn.php` },
    });
    expect(job).toMatchObject({ status: 201 });
    void greedy.get('/burn.php').catch(() => {});
    void greedy.ssh('while :; do :; done').catch(() => {});
    await waitUntil(
      'PHP, the session and the job to burn',
      async () => {
        const { stdout } = await use.guest.exec([
          ...['find', slice(greedy, ''), '-name', 'cgroup.events', '-path', '*innkeeper-php*'],
          ...['-exec', 'grep', '-c', 'populated 1', '{}', ';'],
        ]);
        const scopes = await use.guest.require(['ls', slice(greedy, '')]);
        return stdout.trim() === '1' && scopes.match(/session-\d+\.scope/g)?.length === 2;
      },
      { timeoutMs: SLOW_MS, everyMs: 1_000 },
    );
    await greedy.setLimits({ cpu_limit_percent: CPU_PERCENT });
    const first = await cpuPercent(greedy, 8_000);
    expect((await neighbour.get()).status).toBe(200);
    await greedy.setLimits({ cpu_limit_percent: 60 });
    const second = await cpuPercent(greedy, 6_000);
    expect(await use.api.delete(`/cron-jobs/${job.body.data.id}`)).toMatchObject({ status: 200 });
    await use.guest.exec(['pkill', '-KILL', '--uid', String(greedy.uid)]);
    await greedy.setLimits({ cpu_limit_percent: LIMITS.cpu_limit_percent });
    saw(`${first.toFixed(1)} % of ${CPU_PERCENT} %, then ${second.toFixed(1)} % of 60 %`);
    expect(first).toBeGreaterThan(CPU_PERCENT * 0.85);
    expect(first).toBeLessThan(CPU_PERCENT * 1.05);
    expect(second).toBeGreaterThan(CPU_PERCENT * 1.2);
    expect(second).toBeLessThan(60 * 1.05);
  },
);

proves(
  'a process takes more memory than its account has',
  'the kernel kills it in PHP and in an SSH session, and the neighbour’s processes live on',
  async (saw) => {
    expect((await neighbour.get()).status).toBe(200);
    const before = await use.guest.require(['pgrep', '--uid', String(neighbour.uid)]);
    const session = await greedy.ssh(`perl -e '$x = "x" x (600 << 20); print "lived"'`);
    expect(session.stdout).not.toContain('lived');
    expect(session.exitCode).not.toBe(0);
    const { status } = await greedy.get('/hog.php');
    expect(status).toBeGreaterThanOrEqual(500);
    const peak = Number(await use.guest.require(['cat', slice(greedy, 'memory.max')])) / MIB;
    expect(peak).toBe(LIMITS.ram_limit_mb);
    const events = await use.guest.require(['cat', slice(greedy, 'memory.events')]);
    expect(Number(/^oom_kill (\d+)$/m.exec(events)?.[1])).toBeGreaterThan(0);
    expect(await use.guest.require(['pgrep', '--uid', String(neighbour.uid)])).toBe(before);
    saw(`killed at ${peak} MiB: ${/oom_kill \d+/.exec(events)?.[0]}, PHP answers ${status}`);
  },
);

proves(
  'a program reads and writes as fast as it can',
  'reads and writes stay at the rates of the account, the neighbour’s do not, and a new rate applies to a running program',
  async (saw) => {
    const write = async (tenant: Tenant, mib: number) =>
      mib /
      secondsOf((await tenant.ssh(`dd if=/dev/zero of=big bs=1M count=${mib} oflag=direct 2>&1`)).stdout);
    await greedy.setLimits({ io_read_mbps: MIB_PER_S, io_write_mbps: MIB_PER_S });
    const written = await write(greedy, 20);
    const read = 20 / secondsOf((await greedy.ssh('dd if=big of=/dev/null bs=1M iflag=direct 2>&1')).stdout);
    const free = await write(neighbour, 40);
    expect(written).toBeLessThan(MIB_PER_S * 1.15);
    expect(read).toBeLessThan(MIB_PER_S * 1.15);
    expect(free).toBeGreaterThan(MIB_PER_S * 3);
    // 60 MiB take 12 s at the old limit.
    const running = greedy.ssh('dd if=/dev/zero of=more bs=1M count=60 oflag=direct 2>&1; rm more');
    await waitUntil(
      'the program to write',
      async () => {
        const { stdout } = await use.guest.exec(['stat', '-c', '%s', `/home/${greedy.username}/more`]);
        return Number(stdout) >= 5 * MIB;
      },
      { timeoutMs: SLOW_MS },
    );
    await greedy.setLimits({ io_write_mbps: 100 });
    const faster = 60 / secondsOf((await running).stdout);
    expect(faster).toBeGreaterThan(MIB_PER_S * 1.3);
    saw(
      `write ${written.toFixed(1)} and read ${read.toFixed(1)} MiB/s, neighbour ${free.toFixed(0)} MiB/s, raised while it writes: ${faster.toFixed(1)} MiB/s`,
    );
  },
);

proves(
  'a program does many small reads',
  'the account gets its IOPS, and more as soon as the limit is removed',
  async (saw) => {
    const rate = async () =>
      300 / secondsOf((await greedy.ssh('dd if=big of=/dev/null bs=4k count=300 iflag=direct 2>&1')).stdout);
    await greedy.setLimits({ iops: IOPS, io_read_mbps: null });
    const limited = await rate();
    await greedy.setLimits({ iops: null });
    const free = await rate();
    await greedy.ssh('rm -f big');
    expect(limited).toBeLessThan(IOPS * 1.15);
    expect(free).toBeGreaterThan(IOPS * 2);
    saw(`${limited.toFixed(0)} a second of ${IOPS}, ${free.toFixed(0)} without a limit`);
  },
);

proves(
  'a fork bomb',
  'stops at the process limit, the neighbour’s site and logins work, and a suspension ends it',
  async (saw) => {
    void greedy
      .ssh('bomb() { bomb | bomb & }; bomb; while :; do (setsid sleep 1000 &) ; done')
      .catch(() => {});
    const tasks = async () => Number(await use.guest.require(['cat', slice(greedy, 'pids.current')]));
    await waitUntil('the bomb to reach the limit', async () => (await tasks()) >= MAX_PROCESSES - 1, {
      timeoutMs: SLOW_MS,
    });
    const count = (await use.guest.require(['pgrep', '--uid', String(greedy.uid)])).trim().split('\n').length;
    expect(count).toBeLessThanOrEqual(MAX_PROCESSES);
    expect((await neighbour.get()).status).toBe(200);
    expect(await neighbour.ssh('echo let in')).toMatchObject({ exitCode: 0, stdout: 'let in\n' });
    expect(await use.api.patch(`/accounts/${greedy.id}/suspend`)).toMatchObject({ status: 200 });
    await greedy.untilSynced();
    expect((await use.guest.exec(['pgrep', '--uid', String(greedy.uid)])).stdout).toBe('');
    expect((await greedy.get()).status).toBe(503);
    expect((await greedy.ssh('true')).exitCode).toBe(255);
    saw(`${count} processes of ${MAX_PROCESSES}; suspended: no process, site 503, login refused`);
  },
);

proves(
  'an account is deleted',
  'nothing of it is left on the server, and its neighbour stays',
  async (saw) => {
    await terminate(use, greedy);
    expect(await findTraces(use.server.box, greedy.username, greedy.uid)).toBe('');
    const quota = await use.guest.require(['repquota', '-u', '-n', '-O', 'csv', '/home']);
    expect(quota).not.toMatch(new RegExp(`^#${greedy.uid},`, 'm'));
    expect((await neighbour.get()).status).toBe(200);
    await terminate(use, neighbour);
    saw('no user, file, unit, slice or quota');
  },
);
