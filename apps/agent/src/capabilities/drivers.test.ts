import { expect, test } from 'vitest';
import { contract } from '../../test/driver-contract.ts';
import { FakeServer } from '../../test/fake-host.ts';
import { nodeApp, specOf } from '../../test/specs.ts';
import { Changes } from '../node/changes.ts';
import { HostError } from '../node/host-error.ts';
import { type Pass, runPass } from '../reconciler/pass.ts';
import { reportOfPass } from '../reconciler/report-of-pass.ts';
import { driversFor } from './index.ts';

test.each(contract.map((entry) => [entry.name, entry] as const))('fake host: %s', async (_, entry) => {
  await entry.run(new FakeServer());
});

const deps = (server: FakeServer) => ({
  host: server.host(new Changes()),
  now: () => 0,
  mayContinue: () => 'go' as const,
  onChange: () => {},
});

test('every driver that creates something also runs for absent', () => {
  const namesOf = (state: 'active' | 'absent') => driversFor(state).map(({ name }) => name);
  expect(namesOf('absent').toSorted()).toEqual(namesOf('active').toSorted());
});

test('does not report absent while remains cannot be removed', async () => {
  const server = new FakeServer();
  const { host, ...rest } = deps(server);
  const scan = async () => [{ kind: 'unit', what: 'user-20000.slice (active)', removable: false }];
  const stubborn = { ...host, remains: { ...host.remains, scan } };
  const pass = await runPass(specOf({ desired_state: 'absent' }), driversFor('absent'), {
    ...rest,
    host: stubborn,
  });
  expect(pass).toMatchObject({
    retryable: true,
    conditions: expect.arrayContaining([
      { type: 'remains', reason: 'Retrying', message: 'Still on this node: unit user-20000.slice (active).' },
    ]),
  });
});

test('removes site, login and processes of an account before databases and files', async () => {
  const server = new FakeServer();
  const spec = specOf({ terminal_access: true });
  await runPass(spec, driversFor('active'), deps(server));
  server.slices.pids.set(spec.uid, [4_711]);
  const { host, ...rest } = deps(server);
  const observe = async () => {
    throw new HostError('Failed', 'The database server does not answer.');
  };
  const pass = (await runPass({ ...spec, desired_state: 'absent' }, driversFor('absent'), {
    ...rest,
    host: { ...host, databases: { ...host.databases, observe } },
  })) as Pass;
  expect(pass.conditions.find(({ reason }) => reason !== 'Applied')).toMatchObject({
    type: 'databases',
    message: 'The database server does not answer.',
  });
  expect(server.slices.pids.has(spec.uid)).toBe(false);
  expect(server.php.pool(spec.uid).unitActive).toBe(false);
  expect(server.web.sites).toEqual([]);
  expect(server.accounts.texts.passwd).toMatch(/^demo:.*nologin$/m);
  expect(server.homes.byName.has('demo')).toBe(true);
});

test('removes an account’s files in shared folders', async () => {
  const server = new FakeServer();
  server.remains.sharedFiles.set(20_000, ['/tmp/a', '/dev/shm/b']);
  await runPass(specOf({ desired_state: 'absent' }), driversFor('absent'), deps(server));
  expect(server.remains.sharedFiles.get(20_000)).toEqual([]);
});

test('forgets the bandwidth total with the account, and not before', async () => {
  const server = new FakeServer();
  server.traffic.bytes.set(20_000, 5);
  for (const state of ['active', 'suspended'] as const) {
    await runPass(specOf({ desired_state: state }), driversFor(state), deps(server));
    expect(server.traffic.bytes.get(20_000)).toBe(5);
  }
  await runPass(specOf({ desired_state: 'absent' }), driversFor('absent'), deps(server));
  expect(server.traffic.bytes.has(20_000)).toBe(false);
});

test('sites of an account over its bandwidth show the notice until it is below', async () => {
  const server = new FakeServer();
  const kinds = () => new Set(server.web.sites.map(({ kind }) => kind));
  const spec = specOf({ limits: { ...specOf({}).limits, bandwidth_mb: 1 } });
  server.traffic.bytes.set(20_000, 1_048_577);
  await runPass(spec, driversFor('active'), deps(server));
  expect(kinds()).toEqual(new Set(['exceeded']));
  await runPass(specOf({}), driversFor('active'), deps(server));
  expect(kinds()).toEqual(new Set(['php']));
});

test('port 25 is open only while an account is active and its package allows it', async () => {
  const server = new FakeServer();
  const isOpenAfter = async (desired_state: 'active' | 'suspended' | 'absent', smtp_port_25: boolean) => {
    await runPass(specOf({ desired_state, smtp_port_25 }), driversFor(desired_state), deps(server));
    return server.firewall.smtp.has(20_000);
  };
  expect(await isOpenAfter('active', true)).toBe(true);
  expect(await isOpenAfter('suspended', true)).toBe(false);
  expect(await isOpenAfter('active', true)).toBe(true);
  expect(await isOpenAfter('active', false)).toBe(false);
  expect(await isOpenAfter('active', true)).toBe(true);
  expect(await isOpenAfter('absent', true)).toBe(false);
});

test('port 25 is not opened for a foreign user that has an account’s uid', async () => {
  const server = new FakeServer();
  const spec = specOf({ smtp_port_25: true });
  await server.obstruct('a user with that uid', spec);
  await runPass(spec, driversFor('active'), deps(server));
  expect(server.firewall.smtp.size).toBe(0);
});

test('if the kernel does not open port 25, the account is not applied, and no other driver waits', async () => {
  const server = new FakeServer();
  const { host, ...rest } = deps(server);
  const setSmtp = async () => {
    throw new HostError('Failed', 'nft refuses the table.');
  };
  const spec = specOf({ smtp_port_25: true });
  const refusing = { ...host, firewall: { ...host.firewall, setSmtp } };
  const pass = await runPass(spec, driversFor('active'), { ...rest, host: refusing });
  const unmet = typeof pass === 'string' ? [] : pass.conditions.filter(({ reason }) => reason !== 'Applied');
  expect(unmet.map(({ type }) => type)).toEqual(['smtp']);
});

test('without limits there is no login, no process and no public site', async () => {
  const server = new FakeServer();
  const spec = specOf({ terminal_access: true });
  const { host, ...rest } = deps(server);
  const setProperties = async () => {
    throw new HostError('Failed', 'systemd does not answer.');
  };
  const pass = await runPass(spec, driversFor('active'), {
    ...rest,
    host: { ...host, systemd: { ...host.systemd, setProperties } },
  });
  const needLimits = ['processes', 'login', 'web', 'cron', 'releases', 'programs'];
  const unmet = needLimits.map((type) => ({
    type,
    reason: 'Retrying',
    message: 'Not attempted, because slice failed and must come first.',
  }));
  expect(pass).toMatchObject({ conditions: expect.arrayContaining(unmet) });
  expect(server.accounts.texts.shadow).not.toContain(spec.password_hash);
  expect(server.web.sites).toEqual([]);
});

test('an account with failing PHP can log in', async () => {
  const server = new FakeServer();
  const spec = specOf({ terminal_access: true });
  await server.obstruct('a foreign PHP configuration', spec);
  await runPass(spec, driversFor('active'), deps(server));
  expect(server.accounts.texts.shadow).toContain(spec.password_hash);
});

test('reports an account with a broken home as suspended, with the failures', async () => {
  const server = new FakeServer();
  const app = nodeApp(2_000, {});
  await runPass(specOf({ apps: [app] }), driversFor('active'), deps(server));
  const spec = specOf({ desired_state: 'suspended', apps: [{ ...app, desired_state: 'absent' }] });
  const { host, ...rest } = deps(server);
  const fail = async () => {
    throw new HostError('Failed', 'A link is in the way.');
  };
  const spoilt = {
    ...host,
    homes: { ...host.homes, missing: async () => ['logs'], createFolders: fail },
    appFiles: { ...host.appFiles, remove: fail },
  };
  const pass = (await runPass(spec, driversFor('suspended'), { ...rest, host: spoilt })) as Pass;
  const unmet = ['releases', 'home'].map((type) => ({
    type,
    reason: 'Retrying',
    message: 'A link is in the way.',
  }));
  expect(pass.conditions.filter(({ reason }) => reason !== 'Applied')).toEqual(unmet);
  expect(reportOfPass(spec, pass).outcome).toBe('applied');
  expect(pass.retryable).toBe(true);
  for (const state of ['active', 'absent'] as const) {
    const towards = specOf({ desired_state: state, domains: [] });
    const failed = { ...spoilt, homes: { ...spoilt.homes, remove: fail } };
    const other = (await runPass(towards, driversFor(state), { ...rest, host: failed })) as Pass;
    expect(reportOfPass(towards, other).outcome).toBe('progressing');
  }
});

test('the processes of a foreign user that has an account’s uid are not killed', async () => {
  const server = new FakeServer();
  const spec = specOf({ desired_state: 'suspended' });
  await server.obstruct('a user with that uid', spec);
  await runPass(spec, driversFor('suspended'), deps(server));
  expect(server.slices.pids.get(20_000)).toEqual([4_711]);
});

test('no summary of a change holds the password hash', async () => {
  const server = new FakeServer();
  const spec = specOf({ terminal_access: true });
  const summaries: string[] = [];
  await runPass(spec, driversFor('active'), {
    ...deps(server),
    onChange: (_, change) => summaries.push(JSON.stringify(change)),
  });
  expect(summaries.length).toBeGreaterThan(5);
  expect(summaries.join()).not.toContain(spec.password_hash);
});
