import { type HostingServer, type Installation, type ProgramResult, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';
import { visit } from './site.ts';
import { sshWithPassword } from './ssh.ts';

/** Limits as they are measured in a box: one slice holds PHP, cron and SSH of an account together. */
const password = 'correct horse battery';
const domain = 'limited.example.com';
const CPU_PERCENT = 30;
const RAM_MB = 256;
const MAX_PROCESSES = 40;
const WRITE_MBPS = 8;

let installation: Installation;
let server: HostingServer;
let api: RestClient;
const ids: Record<string, number> = {};
const uids: Record<string, number> = {};

async function createAccount(username: string, limits: Record<string, number>): Promise<void> {
  const created = await api.post<AccountBody>('/accounts', {
    username,
    name: username,
    email: `${username}@example.com`,
    password,
    disk_limit_mb: 1_000,
    bandwidth_limit_mb: 1_000,
    max_domains: 1,
    max_databases: 0,
    max_apps: 0,
    terminal_access: true,
    ...limits,
  });
  expect(created).toMatchObject({ status: 201, body: { data: { synced: true } } });
  ids[username] = created.body.data.id;
  uids[username] = Number((await server.box.require(['id', '-u', username])).trim());
}

const ssh = (user: string, command: string): Promise<ProgramResult> =>
  sshWithPassword(server.address, user, password, command);

/** CPU time that the slice has used, in microseconds. The unified tree is there on hosts of both kinds. */
async function cpuMicroseconds(path: string): Promise<number> {
  const stat = await server.box.require([
    ...[
      'sh',
      '-c',
      'cat /sys/fs/cgroup/unified/"$1"/cpu.stat 2>/dev/null || cat /sys/fs/cgroup/"$1"/cpu.stat',
      'sh',
    ],
    path,
  ]);
  return Number(/^usage_usec (\d+)$/m.exec(stat)?.[1]);
}

async function groupsOf(uid: number): Promise<string[]> {
  const text = await server.box.require([
    ...[
      'sh',
      '-c',
      'cd /sys/fs/cgroup/unified 2>/dev/null || cd /sys/fs/cgroup; find "$1" -mindepth 1 -type d',
      'sh',
    ],
    `user.slice/user-${uid}.slice`,
  ]);
  return text.trim().split('\n');
}

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
  await createAccount('limited', {
    cpu_limit_percent: CPU_PERCENT,
    ram_limit_mb: RAM_MB,
    max_processes: MAX_PROCESSES,
    io_write_mbps: WRITE_MBPS,
  });
  await createAccount('neighbour', { cpu_limit_percent: 100, ram_limit_mb: 512 });
  const added = await api.post('/domains', { hosting_account_id: ids.limited, domain_name: domain });
  expect(added.status).toBe(201);
});

afterAll(async () => {
  await server.box.exec(['rm', '-f', '/etc/cron.d/limits-test']);
  for (const id of Object.values(ids)) {
    await api.delete(`/accounts/${id}`);
    await waitUntil('the account to be gone', async () => (await api.get(`/accounts/${id}`)).status === 404);
  }
});

describe('the limits of an account', () => {
  it('hold the CPU of PHP, cron and SSH together', async () => {
    const slice = `user.slice/user-${uids.limited}.slice`;
    const root = `/home/limited/domains/${domain}/public_html`;
    const burner = '<?php $end = microtime(true) + 25; while (microtime(true) < $end) {} echo "done";';
    expect(await ssh('limited', `printf %s '${burner}' > ${root}/burn.php`)).toMatchObject({ exitCode: 0 });
    await server.box.writeFile(
      '/etc/cron.d/limits-test',
      '* * * * * limited exec timeout 40 sh -c "while :; do :; done"\n',
    );
    await waitUntil(
      'cron to burn',
      async () => (await server.box.exec(['pgrep', '-u', 'limited', '-f', 'while :'])).exitCode === 0,
      { timeoutMs: 75_000 },
    );
    await server.box.require(['rm', '/etc/cron.d/limits-test']);
    const php = visit(server.address, domain, '/burn.php');
    const session = ssh('limited', 'timeout 25 sh -c "while :; do :; done"');
    const groups = await waitUntil('all three to burn', async () => {
      const found = await groupsOf(uids.limited!);
      const sessions = found.filter((group) => group.includes('/session-'));
      return sessions.length >= 2 && found.some((group) => group.includes('/innkeeper-php@'))
        ? found
        : undefined;
    });

    const before = await Promise.all(groups.map(cpuMicroseconds));
    const startedAt = performance.now();
    const startedUs = await cpuMicroseconds(slice);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const usedUs = (await cpuMicroseconds(slice)) - startedUs;
    const percent = usedUs / (performance.now() - startedAt) / 10;
    const after = await Promise.all(groups.map(cpuMicroseconds));
    console.log(`CPU of PHP, cron and SSH together: ${percent.toFixed(1)} % (limit ${CPU_PERCENT} %)`);

    // A busy machine may give less than the limit; nothing may give more.
    expect(percent).toBeGreaterThan(CPU_PERCENT * 0.5);
    expect(percent).toBeLessThan(CPU_PERCENT * 1.05);
    const burned = groups.filter((_, index) => after[index]! - before[index]! > 100_000);
    expect(burned.length).toBeGreaterThanOrEqual(3);
    await server.box.exec(['pkill', '-KILL', '-u', 'limited']);
    await Promise.allSettled([php, session]);
  });

  it('kill what takes too much memory, and leave the neighbour alone', async () => {
    const neighbour = ssh(
      'neighbour',
      'php -d memory_limit=-1 -r \'$x = str_repeat("x", 200 << 20); sleep(20); echo "alive";\'',
    );
    const hog = await ssh(
      'limited',
      'php -d memory_limit=-1 -r \'$x = str_repeat("x", 600 << 20); echo "kept";\'',
    );
    expect(hog.stdout).not.toContain('kept');
    expect(hog.exitCode).not.toBe(0);
    expect(await neighbour).toMatchObject({ exitCode: 0, stdout: 'alive' });
  });

  it('stop a fork bomb, and the neighbour still forks', async () => {
    const bomb = ssh('limited', 'for i in $(seq 300); do sleep 15 & done; wait');
    const slice = `user-${uids.limited}.slice`;
    const tasks = async () =>
      Number(
        (await server.box.require(['systemctl', 'show', slice, '-p', 'TasksCurrent', '--value'])).trim(),
      );
    await waitUntil('the bomb to reach its limit', async () => (await tasks()) >= MAX_PROCESSES - 2);
    expect(await tasks()).toBeLessThanOrEqual(MAX_PROCESSES);
    const forked = await ssh('neighbour', 'for i in $(seq 60); do sleep 1 & done; wait; echo all');
    expect(forked).toMatchObject({ exitCode: 0, stdout: 'all\n' });
    await server.box.exec(['pkill', '-KILL', '-u', 'limited']);
    expect((await bomb).stderr).toMatch(/fork|Resource temporarily unavailable/);
  });

  it('hold a writer to its rate where the kernel can', async (context) => {
    const nodes = JSON.parse((await installation.innctl(['node', 'list', '--json'])).stdout) as {
      name: string;
      io_limits: boolean | number | null;
    }[];
    if (!nodes.find((node) => node.name === server.name)?.io_limits)
      context.skip('this node cannot limit IO');
    const megabytes = 40;
    const write = (user: string) =>
      ssh(user, `dd if=/dev/zero of=big bs=1M count=${megabytes} oflag=direct 2>&1; rm -f big`);
    const timed = async (user: string) => {
      const startedAt = performance.now();
      expect(await write(user)).toMatchObject({ exitCode: 0 });
      return megabytes / ((performance.now() - startedAt) / 1_000);
    };
    const [limited, free] = [await timed('limited'), await timed('neighbour')];
    console.log(
      `written: ${limited.toFixed(1)} MB/s with a limit of ${WRITE_MBPS}, ${free.toFixed(0)} MB/s without`,
    );
    expect(limited).toBeLessThan(WRITE_MBPS * 1.1);
    expect(free).toBeGreaterThan(WRITE_MBPS * 1.5);
  });
});
