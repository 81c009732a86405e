import { type HostingServer, type Installation, requireInnctl, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';
import { createRestClient, type RestClient } from './rest-client.ts';

/** A changed package reaches the kernel's limits of the accounts that have it, and of no other account. */
const MIB = 1_048_576;
const limits = { ram: 256, cpu: 50, processes: 40 };
const larger = { ram: 384, cpu: 120, processes: 60 };

let installation: Installation;
let server: HostingServer;
let api: RestClient;
let packageId = 0;
const accounts: { id: number; uid: number }[] = [];

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
  const create = ['package', 'create', '--name', 'Follows', '--disk-mb', '200', '--bandwidth-mb', '1000'];
  const counts = ['domains', 'databases', 'apps', 'cron-jobs'].flatMap((what) => [`--max-${what}`, '1']);
  const made = await requireInnctl(installation.innctl, [...create, ...counts, ...options(limits), '--json']);
  packageId = JSON.parse(made).id;
  for (const [username, changes] of [
    ['follows1', {}],
    ['follows2', { ram_limit_mb: 300 }],
  ] as const) {
    const { status, body } = await api.post<{ data: { id: number } }>('/accounts', {
      username,
      name: 'A Customer',
      email: `${username}@example.com`,
      password: 'correct horse battery',
      package_id: packageId,
      ...changes,
    });
    expect(status).toBe(201);
    const uid = Number((await server.box.require(['id', '-u', username])).trim());
    accounts.push({ id: body.data.id, uid });
  }
}, 300_000);

afterAll(async () => {
  for (const { id } of accounts) await api.delete(`/accounts/${id}`);
  for (const { id } of accounts)
    await waitUntil('the account to be gone', async () => (await api.get(`/accounts/${id}`)).status === 404, {
      timeoutMs: 90_000,
      everyMs: 500,
    });
});

function options({ ram, cpu, processes }: typeof limits): string[] {
  return ['--ram-mb', `${ram}`, '--cpu-percent', `${cpu}`, '--max-processes', `${processes}`];
}

/** What the kernel enforces: memory in MiB, CPU in percent of a core, processes. With both versions of control groups. */
async function enforced(uid: number): Promise<typeof limits> {
  const slice = `user.slice/user-${uid}.slice`;
  const read = async (controller: string, files: string, unified: string) => {
    const inFolder = (folder: string, names: string) =>
      names.split(' ').map((name) => `/sys/fs/cgroup/${folder}${slice}/${name}`);
    const first = inFolder(`${controller}/`, files).join(' ');
    const second = inFolder('', unified).join(' ');
    const script = `cat ${first} 2>/dev/null || cat ${second}`;
    return (await server.box.require(['sh', '-c', script])).trim().split(/\s+/);
  };
  const [quota, period] = await read('cpu', 'cpu.cfs_quota_us cpu.cfs_period_us', 'cpu.max');
  const [memory] = await read('memory', 'memory.limit_in_bytes', 'memory.max');
  const [processes] = await read('pids', 'pids.max', 'pids.max');
  return {
    ram: Number(memory) / MIB,
    cpu: (100 * Number(quota)) / Number(period),
    processes: Number(processes),
  };
}

it('a package that is changed with its accounts reaches their slices; a limit of an account’s own stays', async () => {
  const [follows, own] = accounts;
  // The slice has a control group while something of the account runs.
  for (const { uid } of accounts) {
    const slice = [`--slice=user-${uid}.slice`, `--uid=${uid}`, '--collect', '--quiet'];
    await server.box.require(['systemd-run', ...slice, 'sleep', '600']);
  }
  expect(await enforced(follows!.uid)).toEqual(limits);
  expect(await enforced(own!.uid)).toEqual({ ...limits, ram: 300 });
  const change = ['package', 'change', `${packageId}`, ...options(larger), '--accounts', 'follow'];
  await requireInnctl(installation.innctl, change);
  await waitUntil(
    'the new limits in the kernel',
    async () => {
      const [one, other] = await Promise.all([enforced(follows!.uid), enforced(own!.uid)]);
      return JSON.stringify([one, other]) === JSON.stringify([larger, { ...larger, ram: 300 }]);
    },
    { timeoutMs: 120_000, everyMs: 1_000 },
  );
  const shown = await server.box.require([
    'systemctl',
    'show',
    '-P',
    'MemoryMax',
    `user-${follows!.uid}.slice`,
  ]);
  expect(Number(shown) / MIB).toBe(larger.ram);
  expect((await api.get<{ data: object }>(`/accounts/${follows!.id}`)).body.data).toMatchObject({
    ram_limit_mb: larger.ram,
    synced: true,
  });
}, 300_000);

it('with "keep" only new accounts get the new limits', async () => {
  const [follows] = accounts;
  const change = ['package', 'change', `${packageId}`, ...options(limits), '--accounts', 'keep'];
  await requireInnctl(installation.innctl, change);
  await server.box.require(['systemctl', 'reload', 'innkeeper-agent']);
  expect(await enforced(follows!.uid)).toEqual(larger);
}, 60_000);
