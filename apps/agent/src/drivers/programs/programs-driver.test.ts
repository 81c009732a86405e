import { beforeEach, expect, test } from 'vitest';
import { FakeServer } from '../../../test/fake-host.ts';
import { nodeApp, specOf } from '../../../test/specs.ts';
import { Changes } from '../../host/changes.ts';
import { programsDriver } from './programs-driver.ts';

const app = nodeApp(7);
const spec = specOf({ uid: 20_001, apps: [app] });
let server: FakeServer;

beforeEach(() => {
  server = new FakeServer();
  server.nodeVersions.set('20', { kind: 'ready' });
  server.apps.at(20_001, 7).current = '1';
});

/** What one pass does, and what is said afterwards. */
async function pass(of = spec) {
  const host = server.host(new Changes());
  const planned = programsDriver.plan(of, await programsDriver.observe(of, host));
  for (const change of planned) await programsDriver.apply(change, of, host);
  const observed = await programsDriver.observe(of, host);
  expect(programsDriver.plan(of, observed)).toEqual([]);
  return {
    did: planned.map(({ kind }) => kind),
    says: programsDriver.statuses?.(of, observed).apps?.map(({ status, reason }) => ({ status, reason })),
    lookAgainMs: programsDriver.lookAgainMs?.(of, observed),
  };
}

const said = (status: string, reason = '') => [{ status, reason }];

test('a program is started, looked at while it starts, and then left alone', async () => {
  expect(await pass()).toEqual({
    did: ['write-config', 'listen', 'start'],
    says: said('starting'),
    lookAgainMs: 1_000,
  });
  expect(await pass()).toEqual({ did: [], says: said('running'), lookAgainMs: undefined });
});

test('nothing is run, and nothing said, before there is a release', async () => {
  server.apps.at(20_001, 7).current = undefined;
  expect(await pass()).toEqual({ did: [], says: [], lookAgainMs: undefined });
});

test('a version that is not here is fetched first; one that cannot be had is told with its sentence', async () => {
  server.nodeVersions.set('20', { kind: 'installing' });
  expect(await pass()).toEqual({ did: [], says: said('installing'), lookAgainMs: 1_000 });
  server.nodeVersions.set('20', { kind: 'failed', reason: 'The registry is away.', retryInMs: 40_000 });
  expect(await pass()).toEqual({
    did: [],
    says: said('failed', 'The registry is away.'),
    lookAgainMs: 40_000,
  });
  server.nodeVersions.set('20', { kind: 'missing' });
  const observed = await programsDriver.observe(spec, server.host(new Changes()));
  expect(programsDriver.plan(spec, observed).map(({ kind }) => kind)).toEqual(['install-version']);
  server.nodeVersions.set('20', { kind: 'ready' });
  expect((await pass()).did).toEqual(['write-config', 'listen', 'start']);
});

test('another release, command or variable starts it anew, and no other change does', async () => {
  await pass();
  await pass();
  server.apps.at(20_001, 7).current = '2';
  expect((await pass()).did).toEqual(['write-config', 'start']);
  const changed = specOf({ ...spec, apps: [{ ...app, start_command: 'npm start' }] });
  expect((await pass(changed)).did).toEqual(['write-config', 'start']);
  const password = { ...changed, password_hash: spec.password_hash.replace(/a$/, 'b') };
  expect((await pass(password)).did).toEqual([]);
});

test('one that has failed is left alone until something that it is started with changes', async () => {
  await pass();
  await pass();
  server.programs.program(20_001, 7).activity = 'failed';
  server.programs.program(20_001, 7).listening = false;
  const reason = 'The program ended again and again. Its log ends with:\nError: it broke';
  expect(await pass()).toEqual({ did: [], says: said('failed', reason), lookAgainMs: undefined });
  server.apps.at(20_001, 7).current = '2';
  expect((await pass()).did).toEqual(['write-config', 'listen', 'start']);
});

test('one that has failed, was stopped and shall run again is tried once more', async () => {
  await pass();
  await pass();
  server.programs.program(20_001, 7).activity = 'failed';
  server.programs.program(20_001, 7).listening = false;
  const stopped = specOf({ ...spec, apps: [{ ...app, desired_state: 'stopped' }] });
  expect(await pass(stopped)).toMatchObject({ did: ['stop'], says: said('stopped') });
  expect(await pass()).toMatchObject({ did: ['listen', 'start'], says: said('starting') });
});

test('stopped, suspended and absent take away what they say, and no more', async () => {
  await pass();
  await pass();
  const stopped = specOf({ ...spec, apps: [{ ...app, desired_state: 'stopped' }] });
  expect(await pass(stopped)).toMatchObject({ did: ['stop'], says: said('stopped') });
  expect((await pass()).did).toEqual(['listen', 'start']);
  expect(await pass({ ...spec, desired_state: 'suspended' })).toMatchObject({
    did: ['end'],
    says: undefined,
  });
  expect((await pass()).did).toEqual(['listen', 'start']);
  const gone = specOf({ ...spec, apps: [{ ...app, desired_state: 'absent' }] });
  expect(await pass(gone)).toMatchObject({
    did: ['end', 'remove-log', 'remove-config', 'remove-units'],
    says: said('absent'),
  });
});

test('a program of an app that the spec no longer has goes', async () => {
  await pass();
  expect((await pass({ ...spec, apps: [] })).did).toEqual([
    'end',
    'remove-log',
    'remove-config',
    'remove-units',
  ]);
});

test.each(['active', 'suspended', 'absent'] as const)(
  'a crash after any change towards %s converges',
  async (state) => {
    const wanted = { ...spec, desired_state: state };
    for (let crashAfter = 1, crashed = true; crashed; crashAfter += 1) {
      crashed = false;
      if (state === 'active') server.programs.forget();
      else await pass();
      const changes = new Changes(crashAfter, () => {
        crashed = true;
        throw new Error('The agent was killed here.');
      });
      const host = server.host(changes);
      const planned = programsDriver.plan(wanted, await programsDriver.observe(wanted, host));
      for (const change of planned)
        if (!crashed) await programsDriver.apply(change, wanted, host).catch(() => {});
      await pass(wanted);
      expect((await pass(wanted)).did).toEqual([]);
    }
  },
);
