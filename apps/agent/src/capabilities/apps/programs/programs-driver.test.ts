import { beforeEach, describe, expect, test } from 'vitest';
import { FakeServer } from '../../../../test/fake-host.ts';
import { nodeApp, specOf } from '../../../../test/specs.ts';
import { Changes } from '../../../node/changes.ts';
import { programsDriver } from './programs-driver.ts';

const app = nodeApp(7);
const spec = specOf({ uid: 20_001, apps: [app] });
let server: FakeServer;

beforeEach(() => {
  server = new FakeServer();
  server.nodejsVersions.set('20', { kind: 'ready' });
  server.apps.at(20_001, 7).current = '1';
});

/** Runs one pass and returns its changes and the statuses after it. */
async function pass(of = spec) {
  const host = server.host(new Changes());
  const planned = programsDriver.plan(of, await programsDriver.observe(of, host));
  for (const change of planned) await programsDriver.apply(change, of, host);
  const observed = await programsDriver.observe(of, host);
  expect(programsDriver.plan(of, observed)).toEqual([]);
  return {
    did: planned.map(({ kind }) => kind),
    says: programsDriver.statuses?.(of, observed).apps?.map(({ status, reason }) => ({ status, reason })),
    observeAgainMs: programsDriver.observeAgainMs?.(of, observed),
  };
}

const said = (status: string, reason = '') => [{ status, reason }];

test('starts a program, observes it while it starts, and then leaves it alone', async () => {
  expect(await pass()).toEqual({
    did: ['write-config', 'listen', 'start'],
    says: said('starting'),
    observeAgainMs: 1_000,
  });
  expect(await pass()).toEqual({ did: [], says: said('running'), observeAgainMs: undefined });
});

test('runs and reports nothing before the first release', async () => {
  server.apps.at(20_001, 7).current = undefined;
  expect(await pass()).toEqual({ did: [], says: [], observeAgainMs: undefined });
});

test('fetches a missing Node.js version first, and reports why one is unavailable', async () => {
  server.nodejsVersions.set('20', { kind: 'installing' });
  expect(await pass()).toEqual({ did: [], says: said('installing'), observeAgainMs: 1_000 });
  server.nodejsVersions.set('20', { kind: 'failed', reason: 'The registry is away.', retryInMs: 40_000 });
  expect(await pass()).toEqual({
    did: [],
    says: said('failed', 'The registry is away.'),
    observeAgainMs: 40_000,
  });
  server.nodejsVersions.set('20', { kind: 'missing' });
  const observed = await programsDriver.observe(spec, server.host(new Changes()));
  expect(programsDriver.plan(spec, observed).map(({ kind }) => kind)).toEqual(['install-version']);
  server.nodejsVersions.set('20', { kind: 'ready' });
  expect((await pass()).did).toEqual(['write-config', 'listen', 'start']);
});

test('only a new release, command or variable restarts a program', async () => {
  await pass();
  await pass();
  server.apps.at(20_001, 7).current = '2';
  expect((await pass()).did).toEqual(['write-config', 'start']);
  const changed = specOf({ ...spec, apps: [{ ...app, start_command: 'npm start' }] });
  expect((await pass(changed)).did).toEqual(['write-config', 'start']);
  const password = { ...changed, password_hash: spec.password_hash.replace(/a$/, 'b') };
  expect((await pass(password)).did).toEqual([]);
});

test('leaves a failed program alone until its release, command or variables change', async () => {
  await pass();
  await pass();
  server.programs.program(20_001, 7).activity = 'failed';
  server.programs.program(20_001, 7).listening = false;
  const reason = 'The program crashed repeatedly. The end of its log:\nError: it broke';
  expect(await pass()).toEqual({ did: [], says: said('failed', reason), observeAgainMs: undefined });
  server.apps.at(20_001, 7).current = '2';
  expect((await pass()).did).toEqual(['write-config', 'listen', 'start']);
});

test('starts a failed program again after it was stopped', async () => {
  await pass();
  await pass();
  server.programs.program(20_001, 7).activity = 'failed';
  server.programs.program(20_001, 7).listening = false;
  const stopped = specOf({ ...spec, apps: [{ ...app, desired_state: 'stopped' }] });
  expect(await pass(stopped)).toMatchObject({ did: ['stop'], says: said('stopped') });
  expect(await pass()).toMatchObject({ did: ['listen', 'start'], says: said('starting') });
});

test('stopped, suspended and absent remove exactly what they should', async () => {
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

test('removes the program of an app that left the spec', async () => {
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

describe('a new release whose program does not start', () => {
  const program = () => server.programs.program(20_001, 7);
  const reason =
    'The program of release 2 crashed repeatedly at its start. Release 1 is live instead. The end of the log:\nError: it broke';

  /** Release 1 has run. Then release 2 was swapped in, and has failed. */
  async function failAtStart(swappedAt = Date.now()): Promise<void> {
    await pass();
    await pass();
    server.apps.at(20_001, 7).current = '2';
    server.apps.records.set('20001-7', {
      appId: 7,
      link: null,
      task: null,
      failure: null,
      former: { release: '1', swappedAt },
    });
    program().readyAtMs = swappedAt - 1;
    const host = server.host(new Changes());
    for (const change of programsDriver.plan(spec, await programsDriver.observe(spec, host)))
      await programsDriver.apply(change, spec, host);
    Object.assign(program(), { activity: 'failed', listening: false });
  }

  /** Runs steps until none is left. */
  async function settle(of = spec): Promise<string[]> {
    const host = server.host(new Changes());
    const did: string[] = [];
    for (let round = 0; round < 5; round += 1)
      for (const change of programsDriver.plan(of, await programsDriver.observe(of, host))) {
        did.push(change.kind);
        await programsDriver.apply(change, of, host);
      }
    return did;
  }

  test('is replaced by the previous release, with a report', async () => {
    await failAtStart();
    expect(await settle()).toEqual(['fall-back', 'write-config', 'listen', 'start']);
    expect(program().config).toContain('folder=/releases/1\0');
    const observed = await programsDriver.observe(spec, server.host(new Changes()));
    expect(programsDriver.statuses?.(spec, observed).apps).toEqual([
      { app_id: 7, status: 'failed', reason, release_id: 1 },
    ]);
    expect(await settle()).toEqual([]);
  });

  test('is retried with another command, or after a stop and a start', async () => {
    await failAtStart();
    await settle();
    const changed = specOf({ ...spec, apps: [{ ...app, start_command: 'npm start' }] });
    expect(await settle(changed)).toEqual(['write-config', 'start']);
    expect(program().config).toContain('folder=/releases/2\0');
    await failAtStart();
    await settle();
    await settle(specOf({ ...spec, apps: [{ ...app, desired_state: 'stopped' }] }));
    program().activity = 'inactive';
    await settle();
    expect(program().config).toContain('folder=/releases/2\0');
  });

  test('is kept if its program was ready once, or if the server was restarted', async () => {
    await failAtStart();
    program().readyAtMs = Date.now() + 1_000;
    expect(await settle()).toEqual([]);
    server = new FakeServer();
    server.nodejsVersions.set('20', { kind: 'ready' });
    server.apps.at(20_001, 7).current = '1';
    await failAtStart(1_000);
    expect(await settle()).toEqual([]);
  });

  test('is kept when the previous release does not start either', async () => {
    await failAtStart();
    await settle();
    Object.assign(program(), { activity: 'failed', listening: false });
    expect(await settle()).toEqual([]);
    const observed = await programsDriver.observe(spec, server.host(new Changes()));
    expect(programsDriver.statuses?.(spec, observed).apps?.[0]).toMatchObject({
      status: 'failed',
      reason: 'The program crashed repeatedly. The end of its log:\nError: it broke',
    });
  });
});

test('reports a running program that accepts no visitors, unless it has no domain', async () => {
  const site = specOf({ ...spec, apps: [{ ...app, domain_id: spec.domains[0]!.domain_id }] });
  await pass(site);
  server.programs.program(20_001, 7).notListening = { otherPort: 3_000 };
  await pass(site);
  const sentence =
    'The program does not listen on the port in the environment variable PORT, so visitors get error 502. ';
  expect((await pass(site)).says).toEqual(said('running', `${sentence}It listens on port 3000 instead.`));
  server.programs.program(20_001, 7).notListening = { otherPort: undefined };
  expect((await pass(site)).says).toEqual(said('running', `${sentence}It listens nowhere.`));
  const worker = specOf({ ...spec, apps: [{ ...app, domain_id: null }] });
  expect((await pass(worker)).says).toEqual(said('running'));
});
