import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { findTraces } from './find-traces.ts';
import { expireUsage } from './fresh-usage.ts';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';
import { visit } from './site.ts';
import { sshWithPassword } from './ssh.ts';

/**
 * The life of one account, as a billing module and its customer see it, on a real hosting server. The cases depend on
 * each other and run in this order.
 */
const username = 'story';
const domain = 'story.example.com';
const password = 'correct horse battery';

let installation: Installation;
let server: HostingServer;
let api: RestClient;
let accountId = 0;
let uid = 0;

const probe = `<?php header('Content-Type: application/json'); echo json_encode([
  'uid' => posix_getuid(), 'cgroup' => file_get_contents('/proc/self/cgroup'), 'home' => __DIR__]);`;

const asAccount = (script: string) =>
  server.box.require([
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(uid),
    '--clear-groups',
    'sh',
    '-ec',
    script,
  ]);

async function packageId(name: string): Promise<number> {
  return installation.packages.find((record) => record.name === name)!.id;
}

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
});

describe('a hosting account', () => {
  it('exists on the hosting server when the API answers the create', async () => {
    const created = await api.post<AccountBody>('/accounts', {
      username,
      name: 'Story Teller',
      email: 'story@example.com',
      password,
      package_id: await packageId('Business'),
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        data: {
          username,
          linux_user: username,
          home_path: `/home/${username}`,
          status: 'active',
          synced: true,
        },
      },
    });
    accountId = created.body.data.id;
    const passwd = await server.box.require(['getent', 'passwd', username]);
    uid = Number(passwd.split(':')[2]);
    expect(uid).toBeGreaterThanOrEqual(20_000);
  });

  it('serves a new domain when the API answers', async () => {
    const added = await api.post('/domains', { hosting_account_id: accountId, domain_name: domain });
    expect(added.status).toBe(201);
    const page = await visit(server.address, domain);
    expect(page.status).toBe(200);
    expect(page.body).toContain(domain);
  });

  it('runs PHP as its own Linux user, in its own slice', async () => {
    const root = `/home/${username}/domains/${domain}/public_html`;
    await asAccount(`cat > ${root}/probe.php <<'PHP'\n${probe}\nPHP`);
    const seen = JSON.parse((await visit(server.address, domain, '/probe.php')).body) as Record<
      string,
      unknown
    >;
    expect(seen.uid).toBe(uid);
    expect(seen.home).toBe(root);
    expect(seen.cgroup).toContain(`/user.slice/user-${uid}.slice/`);
  });

  it('accepts SSH with its password, and runs the session in the same slice', async () => {
    const session = await sshWithPassword(server.address, username, password, 'cat /proc/self/cgroup; id -u');
    expect(session).toMatchObject({ exitCode: 0 });
    expect(session.stdout).toContain(`/user.slice/user-${uid}.slice/session-`);
    expect(session.stdout.trim().endsWith(String(uid))).toBe(true);
  });

  it('accepts a new password and refuses the old one', async () => {
    const changed = await api.patch<AccountBody>(`/accounts/${accountId}/password`, {
      password: 'another good one',
    });
    expect(changed).toMatchObject({ status: 200, body: { data: { synced: true } } });
    expect(await sshWithPassword(server.address, username, password, 'true')).toMatchObject({
      exitCode: 255,
    });
    expect(await sshWithPassword(server.address, username, 'another good one', 'true')).toMatchObject({
      exitCode: 0,
    });
  });

  it('shows its usage: disk of files and databases, bandwidth, CPU and memory', {
    timeout: 200_000,
  }, async () => {
    const root = `/home/${username}/domains/${domain}/public_html`;
    const made = await api.post<{ data: { id: number; db_name: string } }>('/databases', {
      hosting_account_id: accountId,
      name: 'shop',
    });
    expect(made.status).toBe(201);
    const { id, db_name } = made.body.data;
    await waitUntil('the database', async () =>
      (await server.box.require(['mariadb', '-Ne', 'show databases'])).includes(db_name),
    );
    const fill = `create table ${db_name}.filler (a longblob) engine = MyISAM;
      insert into ${db_name}.filler values (repeat('x', 12 << 20))`;
    await server.box.require(['mariadb', '--max-allowed-packet=64M', '-e', fill]);
    await asAccount(`head -c 20M /dev/urandom > ~${username}/private.bin
      head -c 5M /dev/zero > ${root}/big.bin
      cat > ${root}/burn.php <<'PHP'\n<?php set_time_limit(0); for ($end = time() + 150; time() < $end; ) hash('md5', 'x');\nPHP`);
    for (let visits = 0; visits < 2; visits += 1)
      expect((await visit(server.address, domain, '/big.bin')).status).toBe(200);
    const burning = visit(server.address, domain, '/burn.php').catch(() => undefined);
    const usage = async () =>
      (await api.get<{ data: Record<string, number> }>(`/accounts/${accountId}/usage`)).body.data;
    // The agent reads the load of the accounts every 15 s.
    const busy = await waitUntil(
      'a figure of now',
      async () => {
        await expireUsage(installation);
        const now = await usage();
        const { cpu_used_percent: cpu = 0, disk_used_mb: disk = 0, bandwidth_used_mb: sent = 0 } = now;
        return cpu > 10 && disk >= 37 && sent >= 10 && now;
      },
      { timeoutMs: 150_000, everyMs: 1_000 },
    );
    expect(busy.disk_used_mb).toBeLessThan(45);
    expect(busy.bandwidth_used_mb).toBeGreaterThanOrEqual(10);
    expect(busy.bandwidth_used_mb).toBeLessThan(12);
    expect(busy.ram_used_mb).toBeGreaterThan(5);
    await server.box.require(['systemctl', 'kill', '--signal=KILL', `innkeeper-php@${uid}.service`]);
    await burning;
    expect((await api.delete(`/databases/${id}`)).status).toBe(200);
    await waitUntil(
      'the database to be gone',
      async () => (await api.get(`/databases/${id}`)).status === 404,
      {
        everyMs: 500,
      },
    );
    await asAccount(`rm ~${username}/private.bin ${root}/big.bin ${root}/burn.php`);
  });

  it('gets another package, and its slice gets the new limits', async () => {
    const moved = await api.patch<AccountBody>(`/accounts/${accountId}/package`, {
      package_id: await packageId('Professional'),
    });
    expect(moved).toMatchObject({
      status: 200,
      body: { data: { synced: true, cpu_limit_percent: 200, ram_limit_mb: 2_048 } },
    });
    const slice = await server.box.require([
      ...['systemctl', 'show', `user-${uid}.slice`, '-p', 'CPUQuotaPerSecUSec', '-p', 'MemoryMax'],
    ]);
    expect(slice).toContain('CPUQuotaPerSecUSec=2s');
    expect(slice).toContain(`MemoryMax=${2_048 * 1_048_576}`);
  });

  it('gets custom limits and terminal access', async () => {
    const set = await api.patch<AccountBody>(`/accounts/${accountId}/resources`, {
      disk_limit_mb: 500,
      bandwidth_limit_mb: 1_000,
      cpu_limit_percent: 30,
      ram_limit_mb: 256,
      max_processes: 40,
      max_domains: 2,
      max_databases: 0,
      max_apps: 0,
      terminal_access: false,
    });
    expect(set).toMatchObject({
      status: 200,
      body: { data: { synced: true, cpu_limit_percent: 30, terminal_access: false } },
    });
    const slice = await server.box.require(['systemctl', 'show', `user-${uid}.slice`, '-p', 'TasksMax']);
    expect(slice.trim()).toBe('TasksMax=40');
    expect(await sshWithPassword(server.address, username, 'another good one', 'true')).toMatchObject({
      exitCode: 255,
    });
    expect((await visit(server.address, domain)).status).toBe(200);
  });

  it('is suspended when the API answers: its site answers 503, and it has no process', async () => {
    await asAccount('setsid sleep 1000 >/dev/null 2>&1 &');
    const suspended = await api.patch<AccountBody>(`/accounts/${accountId}/suspend`);
    expect(suspended).toMatchObject({ status: 200, body: { data: { status: 'suspended', synced: true } } });
    expect(suspended.ms).toBeLessThan(5_000);
    expect(await server.box.exec(['pgrep', '--uid', String(uid)])).toMatchObject({ exitCode: 1, stdout: '' });
    const page = await visit(server.address, domain);
    expect(page.status).toBe(503);
    expect(page.body).toContain('suspended');
  });

  it('is unchanged after it is unsuspended', async () => {
    const back = await api.patch<AccountBody>(`/accounts/${accountId}/unsuspend`);
    expect(back).toMatchObject({ status: 200, body: { data: { status: 'active', synced: true } } });
    expect(JSON.parse((await visit(server.address, domain, '/probe.php')).body)).toMatchObject({ uid });
  });

  it('stops serving a removed domain, and keeps its files', async () => {
    const shown = await api.get<AccountBody>(`/accounts/${accountId}`);
    const path = `/domains/${shown.body.data.domains[0]!.id}`;
    expect(await api.delete(path)).toMatchObject({ status: 200, body: { message: 'Domain removal queued' } });
    await waitUntil('the domain to be gone', async () => (await api.get(path)).status === 404);
    expect((await visit(server.address, domain)).status).toBe(404);
    await asAccount(`test -e /home/${username}/domains/${domain}/public_html/probe.php`);
  });

  it('leaves nothing on the server when it is terminated, and its username is free', async () => {
    await asAccount(`echo left > /tmp/left-by-story; mkdir -p ~story/a/b; echo x > ~story/a/b/c`);
    const removed = await api.delete(`/accounts/${accountId}`);
    expect(removed).toMatchObject({ status: 200, body: { message: 'Termination queued' } });
    await waitUntil(
      'the account to be gone',
      async () => (await api.get(`/accounts/${accountId}`)).status === 404,
    );

    expect(await findTraces(server.box, username, uid)).toBe('');
    const free = await api.get<{ data: { available: boolean } }>(
      `/accounts/check-username?username=${username}`,
    );
    expect(free.body.data.available).toBe(true);
  });
});
