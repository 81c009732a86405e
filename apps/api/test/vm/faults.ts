import { setTimeout as delay } from 'node:timers/promises';
import { readInnctl, type VirtualMachineSystem, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { findTraces } from '../boxes/find-traces.ts';
import type { AccountBody } from '../boxes/rest-client.ts';
import { visit } from '../boxes/site.ts';
import { appIs, deploy, installApp, placeNodejs } from './apps.ts';
import { proofsOn } from './proof.ts';
import { createTenant, LIMITS, PASSWORD, SLOW_MS, type Tenant, terminate } from './tenant.ts';
import { type Use, useVirtualServer } from './virtual-server.ts';

const AGENT = 'innkeeper-agent';
const PAUSE_MS = 250;
const SLOW = { timeoutMs: SLOW_MS, everyMs: 500 };
/** An app that is deployed from archives. */
const SHOP = 'shop.example.com';
/** A Node.js program. */
const PROGRAM = 'program.example.com';

/**
 * Of the root file system and of the homes. Root may use the blocks that ext4 reserves for it, so they are filled too. Up
 * to 4,096 more are ext4's own: statfs counts them as free, and nobody gets them.
 */
const FILL_SPACE = `
for folder in /var/filler /home/.filler; do
  mkdir $folder && cd $folder
  fallocate -l "$((($(stat -f -c %f .) - 8192) * $(stat -f -c %S .)))" most
  cat /dev/zero > rest
  sync; test "$(stat -f -c %f .)" -le 4160
done`;
const FILL_INODES = `
for folder in /var/filler /home/.filler; do
  mkdir $folder && cd $folder
  perl -e 'for (my $i = 0; open my $file, ">", $i; $i++) { }'
  test "$(stat -f -c %d .)" -lt 16
done`;

/**
 * What happens to a hosting server, and what its customers may rely on. An account with a PHP site, a Node.js app, a
 * cron job and limits lives through all of it.
 */
export function proveFaults(system: VirtualMachineSystem): void {
  const { proves, provesAtLength } = proofsOn(system);
  let use: Use;
  let steady: Tenant;
  /** The app of the shop. */
  let appId = 0;

  const inGuest = (...argv: string[]) => use.guest.require(argv, { timeoutMs: SLOW_MS });
  const slice = (file: string) => `/sys/fs/cgroup/user.slice/user-${steady.uid}.slice/${file}`;
  const agentReady = () => inGuest(AGENT, 'status', '--wait', '100');
  const getShop = async () => (await visit(use.server.address, SHOP)).body;
  const programAnswers = async () => (await visit(use.server.address, PROGRAM)).status === 200;
  const warnings = async () => {
    const argv = ['node', 'show', use.server.name];
    return (await readInnctl<{ warnings: string[] }>(use.installation.innctl, argv)).warnings;
  };
  const deployWord = (word: string) =>
    deploy(use, appId, [{ name: 'index.php', data: `<?php echo '${word}';` }]);

  /** Visits the PHP site until it is ended. Returns the number of right answers, and every other one. */
  function poll(): () => Promise<{ answered: number; wrong: string[] }> {
    let ended = false;
    let answered = 0;
    const wrong: string[] = [];
    const visits = (async () => {
      while (!ended) {
        try {
          const { status, body } = await steady.get('/probe.php');
          if (status === 200 && body === `uid ${steady.uid}`) answered += 1;
          else wrong.push(`${status} ${body.slice(0, 100)}`);
        } catch (error) {
          wrong.push(String(error));
        }
        // Visits without a pause take the processor that the installer needs.
        await delay(PAUSE_MS);
      }
    })();
    return async () => {
      ended = true;
      await visits;
      return { answered, wrong };
    };
  }

  /** Gives the guest the time of this machine. */
  const setClock = () => inGuest('date', '--set', `@${Math.round(Date.now() / 1_000)}`);

  /** Everything that an account with this name can have left. Empty if there is nothing. */
  const traces = ({ username, uid }: Tenant) => findTraces(use.guest, username, uid);

  beforeAll(async () => {
    use = await useVirtualServer(system);
    await placeNodejs(use);
    steady = await createTenant(use, 'steady', { cpu_limit_percent: 150, max_processes: 80 });
    await steady.publish('probe.php', '<?php echo "uid ", posix_geteuid();');
    await installApp(use, steady, 'nodejs', PROGRAM);
    appId = await installApp(use, steady, 'php', SHOP);
    await deployWord('first');
    await waitUntil('the first release', async () => (await getShop()) === 'first', SLOW);
    const job = {
      hosting_account_id: steady.id,
      name: 'Tick',
      schedule: '* * * * *',
      command: 'date >> ticks',
    };
    expect(await use.api.post('/cron-jobs', job)).toMatchObject({ status: 201 });
    await steady.untilSynced();
  });

  afterAll(async () => {
    if (steady !== undefined) await terminate(use, steady);
    await use?.end();
  });

  provesAtLength(
    'the agent is stopped, killed and upgraded',
    'no request to a site fails, and the new release runs',
    async (saw) => {
      const end = poll();
      await inGuest('systemctl', 'stop', AGENT);
      await inGuest('systemctl', 'start', AGENT);
      await agentReady();
      await inGuest('systemctl', 'kill', '--signal', 'KILL', AGENT);
      await inGuest('systemctl', 'is-active', AGENT).catch(() => {});
      const check = await inGuest('/root/innkeeper-agent/install.sh', '--check');
      for (const line of [
        'cgroup         version 2',
        'quota          user quotas of /home',
        'apparmor       ',
      ])
        expect(check).toContain(`ok       ${line}`);
      const before = await inGuest('readlink', '/opt/innkeeper/agent');
      await inGuest('sh', '-c', 'echo "// a newer build" >>/root/innkeeper-agent/innkeeper-agent.mjs');
      await use.guest.require(['/root/innkeeper-agent/install.sh'], { timeoutMs: 600_000 });
      expect(await inGuest('readlink', '/opt/innkeeper/agent')).not.toBe(before);
      await agentReady();
      const { answered, wrong } = await end();
      expect(wrong).toEqual([]);
      expect(answered).toBeGreaterThan(20);
      saw(`${answered} requests, 0 failed`);
    },
  );

  proves(
    'the server is rebooted while the control plane is away',
    'sites, apps, cron jobs, limits and quotas come back without it',
    async (saw) => {
      const limits = async () => [
        await inGuest('cat', slice('memory.max'), slice('cpu.max'), slice('pids.max')),
        (await inGuest('repquota', '-u', '-n', '-O', 'csv', '/home'))
          .split('\n')
          .find((line) => line.startsWith(`#${steady.uid},`))
          ?.split(',')[5],
      ];
      const before = await limits();
      await use.installation.killApi('SIGKILL');
      await use.installation.stopNats();
      const startedAt = performance.now();
      try {
        await use.guest.reboot();
        await waitUntil('the PHP site', async () => (await steady.get('/probe.php')).status === 200, SLOW);
        const siteS = (performance.now() - startedAt) / 1_000;
        await waitUntil('the program', programAnswers, SLOW);
        expect(await getShop()).toBe('first');
        const appS = (performance.now() - startedAt) / 1_000;
        await inGuest('rm', '-f', `/home/${steady.username}/ticks`);
        await waitUntil(
          'the cron job',
          async () => (await use.guest.exec(['test', '-s', `/home/${steady.username}/ticks`])).exitCode === 0,
          SLOW,
        );
        expect(await limits()).toEqual(before);
        expect((await steady.ssh('head -c 300M /dev/zero > big; rm big')).stderr).toContain('quota');
        saw(
          `site after ${siteS.toFixed(0)} s, app after ${appS.toFixed(0)} s, cron job, ${before.join(' ').replaceAll('\n', ' ')} KiB`,
        );
      } finally {
        await use.installation.startNats();
        await use.installation.startApi();
      }
      await steady.setLimits({ max_processes: 90 });
      expect(await inGuest('cat', slice('pids.max'))).toBe('90\n');
    },
  );

  provesAtLength(
    'a power cut while accounts are created and deleted and an app is deployed',
    'the server boots from its disk and comes to the desired state, with nothing half and nothing left over',
    async (saw) => {
      const leaving = [await createTenant(use, 'leaving1'), await createTenant(use, 'leaving2')];
      const create = async (username: string) =>
        await use.api.post<AccountBody>('/accounts', {
          ...{ username, name: username, email: `${username}@example.com`, password: PASSWORD },
          ...LIMITS,
        });
      const creating = ['coming1', 'coming2', 'coming3'].map(create);
      for (const { id } of leaving)
        expect(await use.api.delete(`/accounts/${id}`)).toMatchObject({ status: 200 });
      await deployWord('second');
      await waitUntil(
        'a created user',
        async () => (await use.guest.exec(['id', 'coming1'])).exitCode === 0,
        {
          timeoutMs: SLOW_MS,
        },
      );
      await use.guest.cutPower();
      const cutAt = performance.now();
      const created = await Promise.all(creating);
      expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
      await use.guest.start();
      await waitUntil('the PHP site', async () => (await steady.get('/probe.php')).status === 200, SLOW);
      const siteS = (performance.now() - cutAt) / 1_000;
      await agentReady();
      for (const { body } of created)
        await waitUntil(
          `${body.data.username} to be synced`,
          async () => (await use.api.get<AccountBody>(`/accounts/${body.data.id}`)).body.data.synced,
          SLOW,
        );
      for (const { id, username } of leaving)
        await waitUntil(
          `${username} to be gone`,
          async () => (await use.api.get(`/accounts/${id}`)).status === 404,
          SLOW,
        );
      await appIs(use, appId, 'running');
      await waitUntil('the second release', async () => (await getShop()) === 'second', SLOW);
      const allS = (performance.now() - cutAt) / 1_000;
      for (const tenant of leaving) expect(await traces(tenant)).toBe('');
      for (const { body } of created) {
        const { id, username } = body.data;
        const uid = Number(await inGuest('id', '-u', username));
        expect((await inGuest('stat', '-c', '%u', `/home/${username}`)).trim()).toBe(String(uid));
        await terminate(use, { id, username });
        expect(await findTraces(use.guest, username, uid)).toBe('');
      }
      expect(await inGuest('systemctl', 'list-units', '--failed', '--no-legend')).toBe('');
      saw(
        `site back ${siteS.toFixed(0)} s after the cut, all accounts and the deploy ${allS.toFixed(0)} s after it`,
      );
    },
  );

  provesAtLength(
    'the root file system and that of the homes have no space, and then no inode',
    'sites answer, the server reports it, and the changes that came meanwhile are made once there is room',
    async (saw) => {
      const seen: string[] = [];
      for (const [what, fill] of [
        ['space', FILL_SPACE],
        ['inodes', FILL_INODES],
      ] as const) {
        const username = `full${what}`;
        const domain_name = `${what}.example.com`;
        let id = 0;
        try {
          await inGuest('bash', '-c', fill);
          const created = await use.api.post<AccountBody>('/accounts', {
            ...{ username, name: username, email: `${username}@example.com`, password: PASSWORD },
            ...LIMITS,
          });
          id = created.body.data.id;
          expect(created.body.data.synced).toBe(false);
          const added = await use.api.post('/domains', { hosting_account_id: steady.id, domain_name });
          expect(added).toMatchObject({ status: 201 });
          await waitUntil('the warning', async () => (await warnings()).includes('DISK_FULL'), SLOW);
          expect((await steady.get('/probe.php')).status).toBe(200);
          expect(await programAnswers()).toBe(true);
        } finally {
          await inGuest('rm', '-rf', '/var/filler', '/home/.filler');
        }
        await steady.untilSynced();
        expect((await visit(use.server.address, domain_name)).status).toBe(200);
        await waitUntil(
          `${username} to be synced`,
          async () => (await use.api.get<AccountBody>(`/accounts/${id}`)).body.data.synced,
          SLOW,
        );
        const uid = Number(await inGuest('id', '-u', username));
        await terminate(use, { id, username });
        expect(await findTraces(use.guest, username, uid)).toBe('');
        await waitUntil(
          'the end of the warning',
          async () => !(await warnings()).includes('DISK_FULL'),
          SLOW,
        );
        seen.push(`without ${what}: site 200, DISK_FULL reported, all changes made later`);
      }
      saw(seen.join('; '));
    },
  );

  provesAtLength(
    'the clock of the server is an hour ahead, a day ahead, then a day behind',
    'sites answer and changes are applied; with a clock before the date of new certificates the agent waits, and returns once the clock is right',
    async (saw) => {
      const seen: string[] = [];
      try {
        for (const [what, shift, processes] of [
          ['an hour ahead', '+1 hour', 70],
          ['a day ahead', '+1 day', 60],
        ] as const) {
          await inGuest('date', '--set', shift);
          await inGuest('systemctl', 'restart', AGENT);
          await steady.setLimits({ max_processes: processes });
          expect(await inGuest('cat', slice('pids.max'))).toBe(`${processes}\n`);
          expect((await steady.get('/probe.php')).status).toBe(200);
          seen.push(`${what}: applied`);
        }
        await inGuest('date', '--set', '-2 days');
        await inGuest('systemctl', 'restart', AGENT);
        expect((await steady.get('/probe.php')).status).toBe(200);
        seen.push('a day behind: sites answer');
      } finally {
        await setClock();
      }
      await steady.setLimits({ max_processes: 50 });
      expect(await inGuest('cat', slice('pids.max'))).toBe('50\n');
      seen.push('right again: applied');
      saw(seen.join(', '));
    },
  );

  proves(
    'an account is suspended while its app, a shell and a process that restarts itself run',
    'all of them end, nothing of them returns, and unsuspending brings back site and app',
    async (saw) => {
      const respawner = `perl -e 'fork and exit; setpgrp; while (1) { if (my $pid = fork) { select undef, undef, undef, 0.2 } else { sleep 1000 } }'`;
      void steady.ssh(`${respawner}; sleep 1000`).catch(() => {});
      const processes = async () =>
        (await use.guest.exec(['pgrep', '--uid', String(steady.uid)])).stdout.split('\n').filter(Boolean)
          .length;
      await waitUntil('the respawner', async () => (await processes()) > 15, SLOW);
      const before = await processes();
      expect(await use.api.patch(`/accounts/${steady.id}/suspend`)).toMatchObject({ status: 200 });
      await steady.untilSynced();
      expect(await processes()).toBe(0);
      expect((await steady.get('/probe.php')).status).toBe(503);
      expect((await steady.ssh('true')).exitCode).toBe(255);
      expect(await processes()).toBe(0);
      expect(await use.api.patch(`/accounts/${steady.id}/unsuspend`)).toMatchObject({ status: 200 });
      await steady.untilSynced();
      expect((await steady.get('/probe.php')).status).toBe(200);
      await waitUntil('the program', programAnswers, SLOW);
      saw(`${before} processes, then 0; site 503, then 200`);
    },
  );
}
