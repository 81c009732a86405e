import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { visit } from './site.ts';

/** Manual changes on a hosting server are repaired. Foreign objects are left alone. */
let server: AgentBox;
let box: Box;
const name = 'drift.example.com';
const account: AccountSpec = specOf({
  account_id: 1,
  linux_user: 'drift',
  terminal_access: true,
  domains: [domainOf(1, name)],
});
const { uid } = account;

beforeAll(async () => {
  server = await startAgentBox('drift');
  box = server.box;
  expect(await server.settle(account)).toMatchObject({ outcome: 'applied' });
});

afterAll(() => server.remove());

/**
 * Queues a pass for every account, and returns the number of changes that drivers made in them. The repair of a file of
 * the installer is not one of them: it counts as a change of the node when its `daemon-reload` has ended, which can be
 * after the file is back.
 */
async function lookAround(): Promise<number> {
  const of = (name: string) => server.metric(`innkeeper_agent_${name}`);
  const [changes, passes] = [await of('changes_total'), await of('passes_total')];
  await box.require(['systemctl', 'reload', 'innkeeper-agent']);
  await waitUntil(
    'a pass over every account',
    async () =>
      (await of('passes_total')) > passes &&
      (await of('queue_waiting')) === 0 &&
      (await of('passes_running')) === 0,
  );
  return (await of('changes_total')) - changes;
}

/** Each test starts on a server without drift, also after one that failed. */
beforeEach(() =>
  waitUntil('a pass without a change', async () => (await lookAround()) === 0, { timeoutMs: 60_000 }),
);

const site = async () => (await visit(box.address, name)).status;

describe('a converged account', () => {
  test('is not changed by a drift pass or by a restart of the agent', async () => {
    const written = await box.require([
      'stat',
      '-c',
      '%n %Y %Z %i',
      '/etc/passwd',
      '/etc/shadow',
      '/home/drift',
    ]);
    const reloads = await box.require(['systemctl', 'show', '-P', 'ActiveEnterTimestamp', 'nginx']);
    expect(await lookAround()).toBe(0);
    await box.require(['systemctl', 'restart', 'innkeeper-agent']);
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    expect(await server.metric('innkeeper_agent_node_changes_total')).toBe(0);
    expect(await server.metric('innkeeper_agent_nginx_reloads_total')).toBe(0);
    expect(
      await box.require(['stat', '-c', '%n %Y %Z %i', '/etc/passwd', '/etc/shadow', '/home/drift']),
    ).toBe(written);
    expect(await box.require(['systemctl', 'show', '-P', 'ActiveEnterTimestamp', 'nginx'])).toBe(reloads);
  });

  test('gets its nginx entry back', async () => {
    // The agent's own check of nginx, each 2 s, can be faster than the pass that is asked for here.
    await box.require(['rm', `/etc/innkeeper/sites/${name}`]);
    await lookAround();
    expect(await site()).toBe(200);
    expect((await box.exec(['test', '-L', `/etc/innkeeper/sites/${name}`])).exitCode).toBe(0);
  });

  test('gets its limits back', async () => {
    await box.require(['systemctl', 'set-property', `user-${uid}.slice`, 'CPUQuota=1%', 'MemoryMax=1G']);
    expect(await lookAround()).toBeGreaterThan(0);
    const shown = await box.require(['systemctl', 'show', '-P', 'MemoryMax', `user-${uid}.slice`]);
    expect(Number(shown)).toBe(account.limits.ram_mb * 1_048_576);
  });

  test('gets its PHP socket back', async () => {
    await box.require(['systemctl', 'stop', `innkeeper-php@${uid}.socket`]);
    await box.require(['rm', '-f', `/run/innkeeper/php/${uid}.sock`]);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await site()).toBe(200);
  });

  test('gets its user, its shell and its home’s mode back', async () => {
    await box.require(['usermod', '-s', '/bin/sh', 'drift']);
    await box.require(['chmod', '777', '/home/drift']);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await box.require(['stat', '-c', '%a', '/home/drift'])).toBe('750\n');
    expect(await box.require(['getent', 'passwd', 'drift'])).toMatch(/:\/bin\/bash\n$/);
  });

  test('is repaired after passwd, shadow and group lost its lines', async () => {
    await box.require(['sed', '-i', '/^drift:/d', '/etc/passwd']);
    await box.require(['sed', '-i', '/^drift:/d', '/etc/shadow']);
    await box.require(['sed', '-i', '/^drift:/d', '/etc/group']);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await box.require(['id', '-u', 'drift'])).toBe(`${uid}\n`);
    expect(await site()).toBe(200);
  });

  test('counts repairs in a metric', async () => {
    expect(await server.metric('innkeeper_agent_drift_repaired_total')).toBeGreaterThan(0);
  });
});

describe('files that all accounts depend on', () => {
  const ready = () =>
    waitUntil('the agent to be ready', async () => (await server.status()).ready, { timeoutMs: 30_000 });
  const unready = (reason: string) =>
    waitUntil(
      `the agent to say: ${reason}`,
      async () => (await server.status()).reasons.some((said) => said.includes(reason)),
      { timeoutMs: 30_000, everyMs: 10 },
    );
  const isPlaced = async (path: string) =>
    (await box.exec(['cmp', '-s', path, `/opt/innkeeper/agent/files${path}`])).exitCode === 0;
  let accounts = 10;
  const another = () => {
    accounts += 1;
    const user = `another${accounts}`;
    const domain = { ...account.domains[0]!, domain_id: accounts, name: `${user}.example.com` };
    return specOf({
      account_id: accounts,
      uid: 20_000 + accounts,
      linux_user: user,
      domains: [domain],
    });
  };
  const siteOf = async (spec: AccountSpec) => (await visit(box.address, spec.domains[0]!.name)).status;

  test('a removed nginx configuration takes no site down, and is restored before the next site is applied', async () => {
    const lost = '/etc/nginx/conf.d/innkeeper.conf';
    await box.require(['rm', lost]);
    const next = another();
    expect(await server.settle(next)).toMatchObject({ outcome: 'applied' });
    expect([await site(), await siteOf(next)]).toEqual([200, 200]);
    expect(await isPlaced(lost)).toBe(true);
    await ready();
  });

  test.each([
    ['removed', ['rm', '-r', '/etc/nginx/innkeeper'], '/etc/nginx/innkeeper/every-site.conf'],
    ['emptied', ['truncate', '-s', '0', '/etc/ssh/sshd_config.d/innkeeper.conf'], undefined],
    ['changed', ['sed', '-i', 's/^PrivateTmp/#/', '/etc/systemd/system/innkeeper-php@.service'], undefined],
    ['opened to all', ['chmod', '666', '/etc/nginx/modules-enabled/90-innkeeper.conf'], undefined],
    ['removed', ['rm', '/usr/share/innkeeper/pages/404.html'], undefined],
  ])('a file of the installer that somebody has %s is restored: %s', async (_, hand, file) => {
    const path = file ?? hand.at(-1)!;
    const before = await box.require(['stat', '-c', '%a %U', path]);
    await box.require(hand);
    await waitUntil(
      `${path} to be back`,
      async () => (await isPlaced(path)) && (await box.require(['stat', '-c', '%a %U', path])) === before,
      { timeoutMs: 20_000 },
    );
    await ready();
    await waitUntil('nginx to take its configuration', async () => {
      return (await box.exec(['nginx', '-t', '-q'])).exitCode === 0;
    });
    expect(await site()).toBe(200);
  });

  test('a foreign file in place of one of the installer is kept, and reported until it is removed', async () => {
    const path = '/etc/sysctl.d/99-zz-innkeeper.conf';
    await box.writeFile(path, 'kernel.panic = 10\n');
    await unready(path);
    expect(await box.readFile(path)).toBe('kernel.panic = 10\n');
    await box.require(['rm', path]);
    await ready();
    expect(await isPlaced(path)).toBe(true);
  });

  test('a site is not active while another server block answers in its place', async () => {
    const theirs = '/etc/nginx/conf.d/theirs.conf';
    const next = another();
    try {
      await box.writeFile(theirs, 'server { listen 127.0.0.80:80; return 200 theirs; }\n');
      await box.require(['systemctl', 'reload', 'nginx']);
      await unready('nginx does not answer for the sites (theirs).');
      server.controlPlane.want(next);
      const report = await waitUntil('a report', () => server.controlPlane.reportOf(next.account_id, 1), {
        timeoutMs: 30_000,
      });
      expect(report.outcome).toBe('progressing');
      expect(report.conditions.find(({ type }) => type === 'web')).toMatchObject({ reason: 'Retrying' });
    } finally {
      await box.require(['rm', theirs]);
      await box.require(['systemctl', 'reload', 'nginx']);
    }
    await ready();
    expect(await server.settle(next)).toMatchObject({ outcome: 'applied' });
  });

  test('a live name that a foreign server block takes over has failed until it is free again, and the others stay active', async () => {
    const theirs = '/etc/nginx/conf.d/theirs.conf';
    const one = another();
    const [own] = one.domains;
    const kept = domainOf(own!.domain_id + 1_000, `kept-${own!.name}`, { is_primary: false });
    const both = { ...one, domains: [own!, kept] };
    expect(await server.settle(both)).toMatchObject({ outcome: 'applied' });
    const statuses = async () => {
      await box.require(['systemctl', 'reload', 'innkeeper-agent']);
      return server.controlPlane.reportOf(both.account_id, 1)?.domains.map(({ status }) => status);
    };
    try {
      await box.writeFile(theirs, `server { listen 80; server_name ${own!.name}; return 200 theirs; }\n`);
      await box.require(['systemctl', 'reload', 'nginx']);
      await waitUntil(
        'the taken name to have failed',
        async () => String(await statuses()) === 'failed,active',
        { timeoutMs: 60_000, everyMs: 2_000 },
      );
    } finally {
      await box.require(['rm', theirs]);
      await box.require(['systemctl', 'reload', 'nginx']);
    }
    await waitUntil('the name to be back', async () => String(await statuses()) === 'active,active', {
      timeoutMs: 60_000,
      everyMs: 2_000,
    });
    await ready();
  });

  test.each([
    ['nginx', 'nginx', async () => (await site()) === 200],
    [
      'the database server',
      'mariadb',
      async () => (await box.exec(['mariadb', '-e', 'do 1'])).exitCode === 0,
    ],
    ['cron', 'cron', undefined],
    ['sshd', 'ssh', undefined],
    ['the PHP of an account', `innkeeper-php@${uid}`, async () => (await site()) === 200],
  ])('%s comes back after it was killed', async (_, unit, works) => {
    await site();
    const pidOf = async () => (await box.require(['systemctl', 'show', '-P', 'MainPID', unit])).trim();
    const before = await pidOf();
    await box.require(['kill', '-KILL', before]);
    await waitUntil(
      `${unit} to be back`,
      async () => {
        const isUp = (await box.exec(['systemctl', 'is-active', '-q', unit])).exitCode === 0;
        return isUp && (await pidOf()) !== before && (works === undefined || (await works()));
      },
      { timeoutMs: 20_000 },
    );
    await ready();
  });

  test('the agent starts a stopped service, and is not ready until it runs', async () => {
    await box.require(['systemctl', 'stop', 'nginx', 'cron']);
    await unready('nginx does not run.');
    await waitUntil('the site', async () => (await site()) === 200, { timeoutMs: 30_000 });
    await waitUntil(
      'cron',
      async () => (await box.exec(['systemctl', 'is-active', '-q', 'cron'])).exitCode === 0,
      { timeoutMs: 30_000 },
    );
    await ready();
  });
});

describe('a foreign object', () => {
  test('with the home of a new account is reported and left unchanged', async () => {
    await box.require(['mkdir', '/home/taken']);
    await box.writeFile('/home/taken/precious', 'kept');
    const blocked = specOf({ account_id: 2, uid: 20_002, linux_user: 'taken', domains: [] });
    const report = await server.settle(blocked);
    expect(report.outcome).toBe('failed');
    expect(report.conditions.filter((condition) => condition.reason === 'Conflict')).toHaveLength(1);
    expect(await box.require(['stat', '-c', '%U', '/home/taken'])).toBe('root\n');
    const gone = await server.settle({ ...blocked, generation: 2, desired_state: 'absent' });
    expect(await box.readFile('/home/taken/precious')).toBe('kept');
    expect(gone.outcome).toMatch(/absent|failed/);
  });

  test('with the name of a new account can be a system user, which stays unchanged', async () => {
    await box.require(['useradd', '-m', 'person']);
    const before = await box.require(['getent', 'passwd', 'person']);
    const report = await server.settle(
      specOf({ account_id: 3, uid: 20_003, linux_user: 'person', domains: [] }),
    );
    expect(report.outcome).toBe('failed');
    expect(await box.require(['getent', 'passwd', 'person'])).toBe(before);
  });
});

describe('without its control plane', () => {
  test('a server restores its accounts from the ledger at boot', async () => {
    server.controlPlane.stop();
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await box.require(['systemctl', 'revert', `user-${uid}.slice`]);
    await box.require(['systemctl', 'stop', `innkeeper-php@${uid}.socket`]);
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
    await waitUntil('the site to be back', async () => (await site()) === 200, { timeoutMs: 20_000 });
    const shown = await box.require(['systemctl', 'show', '-P', 'MemoryMax', `user-${uid}.slice`]);
    expect(Number(shown)).toBe(account.limits.ram_mb * 1_048_576);
    expect((await server.status()).ready).toBe(false);
  });
});
