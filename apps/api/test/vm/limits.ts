import { noteSecret, type VirtualMachineSystem, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { findTraces } from '../boxes/find-traces.ts';
import { PageVisitor } from '../integration/page-visitor.ts';
import { placeNodejs } from './apps.ts';
import { type FiveWays, startFiveWays, type Task, WAYS } from './five-ways.ts';
import { proofsOn } from './proof.ts';
import { createTenant, LIMITS, PASSWORD, SLOW_MS, type Tenant, terminate } from './tenant.ts';
import { type Use, useVirtualServer } from './virtual-server.ts';

/**
 * Every limit of an account on a kernel with cgroup v2 and disk quotas, with an agent that `install.sh` installed and
 * accounts that the REST API created. PHP, SSH sessions, cron jobs, apps and builds of an account together stay within each
 * limit, and its neighbour does not notice. The tests depend on each other.
 */
const MIB = 1_048_576;
const CPU_PERCENT = 30;
const MAX_PROCESSES = 90;
const RAM_MB = 512;
const DISK_MB = 300;
const MIB_PER_S = 5;
const IOPS = 100;
/** A measured rate may be this much above its limit. */
const TOLERANCE = 1.15;

export function proveLimits(system: VirtualMachineSystem): void {
  const { proves, provesAtLength } = proofsOn(system);
  let use: Use;
  let greedy: Tenant;
  let neighbour: Tenant;
  let ways: FiveWays;
  let limitsOfNeighbour: string;

  beforeAll(async () => {
    use = await useVirtualServer(system);
    await placeNodejs(use);
    neighbour = await createTenant(use, 'neighbour');
    limitsOfNeighbour = await kernelLimits(neighbour);
    greedy = await createTenant(use, 'greedy', {
      ...{ max_processes: MAX_PROCESSES, ram_limit_mb: RAM_MB, disk_limit_mb: DISK_MB },
    });
    ways = await startFiveWays(use, greedy);
  });

  afterAll(async () => {
    await use?.end();
  });

  const inGuest = (...argv: string[]) => use.guest.require(argv, { timeoutMs: SLOW_MS });
  const slice = ({ uid }: Tenant, file: string) => `/sys/fs/cgroup/user.slice/user-${uid}.slice/${file}`;
  const diskOf = async ({ uid }: Tenant) => {
    const report = await inGuest('repquota', '-u', '-n', '-O', 'csv', '/home');
    const fields = report.split('\n').find((line) => line.startsWith(`#${uid},`));
    return { usedKib: Number(fields?.split(',')[3]), limitKib: Number(fields?.split(',')[5]) };
  };
  /** What the kernel holds the account to, while it has a process. */
  const kernelLimits = async (tenant: Tenant) => {
    expect((await tenant.get()).status).toBe(200);
    const files = `cd ${slice(tenant, '')}; cat memory.max cpu.max pids.max; cat io.max 2>/dev/null || true`;
    return `${await inGuest('sh', '-ec', files)} ${(await diskOf(tenant)).limitKib}`;
  };
  const neighbourLives = async () => {
    expect((await neighbour.get()).status).toBe(200);
  };

  /** Seconds of the guest's clock since its boot, and the sum of a field of one of the slice's files. */
  const look = async (file: string, field: string) => {
    const [uptime, ...lines] = (await inGuest('cat', '/proc/uptime', slice(greedy, file))).split('\n');
    const values = lines.join(' ').matchAll(new RegExp(`\\b${field}[= ](\\d+)`, 'g'));
    return {
      atS: Number(uptime!.split(' ')[0]),
      value: [...values].reduce((sum, [, n]) => sum + Number(n), 0),
    };
  };
  /** Growth of the field per second of a window. */
  const rateOf = async (file: string, field: string, windowMs: number) => {
    const before = await look(file, field);
    const until = performance.now() + windowMs;
    await waitUntil('the window to pass', () => performance.now() > until, { timeoutMs: windowMs * 2 });
    const after = await look(file, field);
    return (after.value - before.value) / (after.atS - before.atS);
  };
  /** CPU time of each unit and session of the account, in µs. */
  const cpuOfParts = async () => {
    const parts = await inGuest('sh', '-c', `cd ${slice(greedy, '')}; grep -H usage_usec */cpu.stat`);
    return new Map(
      parts
        .trim()
        .split('\n')
        .map((line) => [line.split('/')[0]!, Number(line.split(' ')[1])]),
    );
  };

  /**
   * All five programs do this at once. Returns the rate under the first limit, and the rate from the change of the limit,
   * which meets running programs, to their end.
   */
  const rates = async (
    task: Task,
    amount: number,
    field: string,
    raised: Parameters<Tenant['setLimits']>[0],
  ): Promise<[limited: number, raised: number]> => {
    await ways.begin(task, amount);
    await waitUntil('them to begin', async () => (await rateOf('io.stat', field, 300)) > 0, {
      timeoutMs: SLOW_MS,
    });
    const limited = await rateOf('io.stat', field, 3_000);
    const before = await look('io.stat', field);
    const startedS = Number(await inGuest('date', '+%s.%N'));
    await greedy.setLimits(raised);
    const ends = Object.values(await ways.allAnswers()).map(
      (text) => /^done ([\d.]+)$/.exec(text)?.[1] ?? text,
    );
    const lastS = Math.max(...ends.map(Number));
    expect(lastS, ends.join(', ')).not.toBeNaN();
    const after = await look('io.stat', field);
    return [limited, (after.value - before.value) / (lastS - startedS)];
  };

  proves(
    'a server with an agent from install.sh',
    'an account that the REST API creates has its site when it is synced',
    async (saw) => {
      const { status, body } = await neighbour.get();
      expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining(neighbour.site) });
      const [controllers, kernel, systemd, servers] = await Promise.all([
        inGuest('cat', '/sys/fs/cgroup/cgroup.controllers'),
        inGuest('uname', '-r'),
        inGuest('systemctl', '--version'),
        inGuest('sh', '-c', 'nginx -v 2>&1; mariadb --version; php --version'),
      ]);
      const version = (pattern: RegExp) => pattern.exec(servers)?.[1];
      saw(
        [
          ...[`status ${status}, cgroup v2 with ${controllers.trim()}`, `Linux ${kernel.trim()}`],
          ...[`systemd ${systemd.split(' ')[1]}`, `nginx ${version(/nginx\/(\S+)/)}`],
          ...[`MariaDB ${version(/(\d+\.\d+\.\d+)-MariaDB/)}`, `PHP ${version(/PHP (\d+\.\d+)/)}`],
        ].join(', '),
      );
    },
  );

  proves(
    'PHP, a cron job, an SSH session, an app and a build of one account compute without end',
    'all of them together get the CPU limit of their account, a new limit applies to running ones, the neighbour’s site answers',
    async (saw) => {
      await ways.begin('burn');
      await ways.allAnswers();
      await greedy.setLimits({ cpu_limit_percent: CPU_PERCENT });
      const before = await cpuOfParts();
      const first = (await rateOf('cpu.stat', 'usage_usec', 8_000)) / 10_000;
      const used = [...(await cpuOfParts())].filter(([part, us]) => us > (before.get(part) ?? 0) + 20_000);
      await neighbourLives();
      await greedy.setLimits({ cpu_limit_percent: 60 });
      const second = (await rateOf('cpu.stat', 'usage_usec', 6_000)) / 10_000;
      await ways.begin('rest');
      await ways.allAnswers();
      await greedy.setLimits({ cpu_limit_percent: LIMITS.cpu_limit_percent });
      saw(`${first.toFixed(1)} % of ${CPU_PERCENT} %, then ${second.toFixed(1)} % of 60 %`);
      // php, app, build, and a session each of cron and SSH.
      const kinds = used.map(([part]) => /^(?:innkeeper-)?(php|app|task|session)/.exec(part)?.[1]).sort();
      expect(kinds).toEqual(['app', 'php', 'session', 'session', 'task']);
      expect(first).toBeGreaterThan(CPU_PERCENT * 0.85);
      expect(first).toBeLessThan(CPU_PERCENT * 1.05);
      expect(second).toBeGreaterThan(CPU_PERCENT * 1.2);
      expect(second).toBeLessThan(60 * 1.05);
    },
  );

  proves(
    'all five write as fast as they can',
    'together they stay at the write rate of their account, the neighbour does not, and a new rate applies to running programs',
    async (saw) => {
      await greedy.setLimits({ io_write_mbps: MIB_PER_S });
      const neighbours = neighbour.ssh('dd if=/dev/zero of=big bs=1M count=40 oflag=direct 2>&1; rm big');
      const [limited, raised] = await rates('write', 40, 'wbytes', { io_write_mbps: 100 });
      const free = 40 / Number(/, ([\d.]+) s, /.exec((await neighbours).stdout)?.[1]);
      saw(
        `${(limited / MIB).toFixed(1)} MiB/s of ${MIB_PER_S}, neighbour ${free.toFixed(0)}; raised to 100 while they write: ${(raised / MIB).toFixed(1)}`,
      );
      expect(limited).toBeLessThan(MIB_PER_S * MIB * TOLERANCE);
      expect(limited).toBeGreaterThan(MIB_PER_S * MIB * 0.5);
      expect(free).toBeGreaterThan(MIB_PER_S * 2);
      expect(raised).toBeGreaterThan(MIB_PER_S * MIB * 1.3);
    },
  );

  proves(
    'all five read as fast as they can',
    'together they stay at the read rate of their account, and a new rate applies to running programs',
    async (saw) => {
      await greedy.setLimits({ io_write_mbps: null, io_read_mbps: MIB_PER_S });
      const [limited, raised] = await rates('read', 0, 'rbytes', { io_read_mbps: 100 });
      saw(
        `${(limited / MIB).toFixed(1)} MiB/s of ${MIB_PER_S}; raised to 100 while they read: ${(raised / MIB).toFixed(1)}`,
      );
      expect(limited).toBeLessThan(MIB_PER_S * MIB * TOLERANCE);
      expect(limited).toBeGreaterThan(MIB_PER_S * MIB * 0.5);
      expect(raised).toBeGreaterThan(MIB_PER_S * MIB * 1.3);
    },
  );

  proves(
    'all five do many small reads',
    'together they get the IOPS of their account, and more as soon as the limit is removed',
    async (saw) => {
      await greedy.setLimits({ io_read_mbps: null, iops: IOPS });
      const [limited, free] = await rates('small-reads', 2_000, 'rios', { iops: null });
      saw(`${limited.toFixed(0)} a second of ${IOPS}, without a limit ${free.toFixed(0)}`);
      expect(limited).toBeLessThan(IOPS * TOLERANCE);
      expect(limited).toBeGreaterThan(IOPS * 0.5);
      expect(free).toBeGreaterThan(IOPS * 1.5);
    },
  );

  proves(
    'all five fill the disk space of their account',
    'each write above the limit fails with EDQUOT (errno 122), and the neighbour still writes',
    async (saw) => {
      await ways.begin('fill', DISK_MB + 50);
      const answers = await ways.allAnswers();
      const { usedKib } = await diskOf(greedy);
      expect((await neighbour.ssh('head -c 10M /dev/zero > file && rm file')).exitCode).toBe(0);
      await ways.begin('rest');
      await ways.allAnswers();
      saw(`PHP, cron, SSH: ${answers.ssh}; app, build: ${answers.app}; ${usedKib >> 10} MiB of ${DISK_MB}`);
      for (const way of WAYS) expect(answers[way], way).toMatch(/errno=122\b/);
      expect(usedKib).toBeGreaterThan((DISK_MB - 5) * 1_024);
      expect(usedKib).toBeLessThanOrEqual(DISK_MB * 1_024);
    },
  );

  provesAtLength(
    'a new disk limit while a file is open',
    'the open file gets the new space, or no more, without reopening it',
    async (saw) => {
      const used = Math.ceil((await diskOf(greedy)).usedKib / 1_024);
      const script = `perl -e '$| = 1; open my $f, ">", "growing" or die;
        for (1..20) { last unless syswrite($f, "x" x 1048576) } print "first ", -s "growing", "\\n"; <STDIN>;
        for (1..40) { last unless syswrite($f, "x" x 1048576) } print $!+0, " ", -s "growing", "\\n"'`;
      const limited = greedy.ssh(`(until [ -e go ]; do sleep 0.5; done; echo) | ${script}; rm growing go`);
      await waitUntil(
        'the first part',
        async () =>
          (await use.guest.exec(['stat', '-c', '%s', `/home/${greedy.username}/growing`])).stdout ===
          `${20 * MIB}\n`,
        { timeoutMs: SLOW_MS, everyMs: 250 },
      );
      await greedy.setLimits({ disk_limit_mb: used + 40 });
      await inGuest('touch', `/home/${greedy.username}/go`);
      const { stdout } = await limited;
      await greedy.setLimits({ disk_limit_mb: DISK_MB });
      expect(stdout).toMatch(/^122 /m);
      saw(`errno ${stdout.trim().split('\n').at(-1)!} bytes`);
    },
  );

  proves(
    'all five start processes without end',
    'together they stay at the process limit of their account, further starts fail, and the neighbour’s site and logins work',
    async (saw) => {
      await ways.begin('fork', MAX_PROCESSES);
      const answers = await ways.allAnswers();
      const tasks = Number(await inGuest('cat', slice(greedy, 'pids.current')));
      // Kernels before 6.11 count a refused start where it was tried, later ones where the limit is.
      const events = await inGuest('sh', '-c', `find ${slice(greedy, '')} -name pids.events -exec cat {} +`);
      await neighbourLives();
      expect(await neighbour.ssh('echo let in')).toMatchObject({ exitCode: 0, stdout: 'let in\n' });
      await ways.begin('rest');
      await ways.allAnswers();
      saw(
        `${tasks} tasks of ${MAX_PROCESSES}; started: ${WAYS.map((way) => `${way} ${answers[way]}`).join(', ')}`,
      );
      expect(tasks).toBeLessThanOrEqual(MAX_PROCESSES);
      expect(tasks).toBeGreaterThan(MAX_PROCESSES - 10);
      const refused = [...events.matchAll(/^max (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
      expect(refused).toBeGreaterThan(0);
    },
  );

  proves(
    'all five take more memory than their account has',
    'the kernel kills some of them, their account never has more than its limit, and the neighbour’s processes live on',
    async (saw) => {
      await neighbourLives();
      const before = await inGuest('pgrep', '--uid', String(neighbour.uid));
      const { value: killedBefore } = await look('memory.events', 'oom_kill');
      await ways.begin('hold', 150);
      await waitUntil('a kill', async () => (await look('memory.events', 'oom_kill')).value > killedBefore, {
        timeoutMs: SLOW_MS,
        everyMs: 500,
      });
      const session = await greedy.ssh(`perl -e '$x = "x" x (600 << 20); print "lived"'`);
      expect(session.stdout).not.toContain('lived');
      const peak = Number(await inGuest('cat', slice(greedy, 'memory.peak'))) / MIB;
      const killed = (await look('memory.events', 'oom_kill')).value - killedBefore;
      const answers = await ways.answers();
      await ways.end();
      expect(await inGuest('pgrep', '--uid', String(neighbour.uid))).toBe(before);
      saw(
        `at most ${peak.toFixed(0)} MiB of ${RAM_MB} (wanted ${5 * 150} and more), ${killed} killed, still held by ${WAYS.filter((way) => answers[way] === 'held').join(', ') || 'none'}`,
      );
      expect(peak).toBeLessThanOrEqual(RAM_MB);
    },
  );

  provesAtLength(
    'home and databases of an account together exceed its disk limit',
    'its databases refuse inserts and say why, its home can be written up to its quota, and a database that is emptied is writable again',
    async (saw) => {
      const made = await use.api.post<{ data: { id: number; db_name: string } }>('/databases', {
        ...{ hosting_account_id: greedy.id, name: 'big' },
      });
      expect(made).toMatchObject({ status: 201 });
      const { id, db_name } = made.body.data;
      await greedy.untilSynced();
      await inGuest('sh', '-c', `rm -f /home/${greedy.username}/work/file-*`);
      // The API accepts no limit below 100 MiB.
      expect((await greedy.ssh('head -c 70M /dev/zero > ballast')).exitCode).toBe(0);
      const limitMb = Math.ceil((await diskOf(greedy)).usedKib / 1_024) + 40;
      await greedy.setLimits({ disk_limit_mb: limitMb });
      const password = await databasePassword(use, greedy, id);
      await greedy.place('.my.cnf', `[client]\nuser=${db_name}\npassword=${password}\n`);
      const sql = async (text: string) => {
        const { stdout, stderr } = await greedy.ssh(`mariadb -BN ${db_name} -e "${text}"`);
        return (stdout + stderr).trim();
      };
      await sql('create table big (id int auto_increment primary key, t longblob)');
      const insert = "insert into big (t) values (repeat('x', 4000000))";
      // Above 64 MiB of growth the agent measures at once.
      expect(await sql(Array.from({ length: 20 }, () => insert).join(';'))).toBe('');
      let refusal = '';
      await waitUntil(
        'read-only',
        async () => {
          refusal = await sql(insert);
          return /denied/.test(refusal);
        },
        { timeoutMs: SLOW_MS, everyMs: 1_000 },
      );
      const reason = async () =>
        (await use.api.get<{ data: { status_reason: string | null } }>(`/databases/${id}`)).body.data
          .status_reason;
      await waitUntil('the reason', async () => (await reason())?.startsWith('Read-only'), {
        timeoutMs: SLOW_MS,
      });
      const said = await reason();
      expect(await sql('select count(*) from big')).toMatch(/^2\d$/);
      expect((await greedy.ssh('head -c 10M /dev/zero > file && rm file')).exitCode).toBe(0);
      expect((await neighbour.ssh('head -c 10M /dev/zero > file && rm file')).exitCode).toBe(0);
      expect(await sql('drop table big')).toBe('');
      await waitUntil(
        'writable',
        async () => !/denied/.test(await sql('create table if not exists small (id int)')),
        {
          timeoutMs: SLOW_MS,
          everyMs: 1_000,
        },
      );
      await greedy.setLimits({ disk_limit_mb: DISK_MB });
      saw(`${refusal.split('\n')[0]!.slice(0, 90)}; the API: ${said}`);
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
      const count = (await use.guest.require(['pgrep', '--uid', String(greedy.uid)]))
        .trim()
        .split('\n').length;
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
      expect(await kernelLimits(neighbour)).toBe(limitsOfNeighbour);
      await terminate(use, greedy);
      expect(await findTraces(use.server.box, greedy.username, greedy.uid)).toBe('');
      const quota = await use.guest.require(['repquota', '-u', '-n', '-O', 'csv', '/home']);
      expect(quota).not.toMatch(new RegExp(`^#${greedy.uid},`, 'm'));
      expect((await neighbour.get()).status).toBe(200);
      await terminate(use, neighbour);
      saw('no user, file, unit, slice or quota');
    },
  );

  /** The password of a database, which the panel shows to its owner only. */
  async function databasePassword({ installation }: Use, { username }: Tenant, id: number): Promise<string> {
    const browser = new PageVisitor(new URL(installation.baseUrl).origin);
    await browser.signIn(username, PASSWORD);
    await browser.open(`/databases/${id}`);
    const { html } = await browser.send(`/databases/${id}/password`);
    const password = /id="db-password"[^>]* value="([^"]+)"/.exec(html)?.[1];
    if (password === undefined) throw new Error(`no password in ${html.slice(0, 2_000)}`);
    noteSecret('database_password', password);
    return password;
  }
}
