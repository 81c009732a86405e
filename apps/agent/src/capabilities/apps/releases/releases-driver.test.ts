import type { AccountSpec, AppSpec, AppStatusReport, ReleaseSpec } from '@innkeeper/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../../test/fake-host.ts';
import { specOf } from '../../../../test/specs.ts';
import { Changes } from '../../../node/changes.ts';
import { type Pass, runPass } from '../../../reconciler/pass.ts';
import type { Host } from '../../host.ts';
import { driversFor } from '../../index.ts';

const UID = 20_000;
let server: FakeServer;
let host: Host;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  server = new FakeServer();
  host = server.host(new Changes());
});
afterEach(() => vi.useRealTimers());

const app = (changes: Partial<AppSpec> = {}): AppSpec => ({
  app_id: 1,
  template_key: 'static',
  runtime: 'static',
  installer: 'starter',
  retries: 0,
  desired_state: 'running',
  domain_id: 1,
  database_id: null,
  node_version: null,
  start_command: '',
  env: [],
  release: null,
  ...changes,
});
const zip = (release_id: number): ReleaseSpec => ({
  release_id,
  source: 'zip',
  archive_sha256: 'a'.repeat(64),
  archive_bytes: 1,
  git_repository: '',
  git_branch: '',
  git_deploy_key: '',
});
const node = { runtime: 'nodejs', node_version: '20', domain_id: null } as const;

async function pass(spec: AccountSpec): Promise<Pass & { app: AppStatusReport | undefined }> {
  const ended = await runPass(spec, driversFor(spec.desired_state), {
    host,
    now: () => 0,
    mayContinue: () => 'go',
    onChange: () => {},
  });
  if (typeof ended === 'string') throw new Error(ended);
  return { ...ended, app: ended.statuses.apps[0] };
}
const want = (changes: Partial<AppSpec>, account: Partial<AccountSpec> = {}) =>
  pass(specOf({ apps: [app(changes)], ...account }));
const disk = () => server.apps.at(UID, 1);
const record = () => server.apps.records.get(`${UID}-1`);

test('an account without apps has no record, no task and no further observation', async () => {
  const observe = vi.spyOn(host.appFiles, 'observe');
  await pass(specOf({ apps: [] }));
  expect(observe).not.toHaveBeenCalled();
  expect(server.apps.records.size).toBe(0);
});

test('installs the first content, and starts no task for a converged app', async () => {
  expect((await want({})).app).toEqual({ app_id: 1, status: 'running', reason: '', release_id: null });
  expect(disk()).toMatchObject({ current: '0' });
  expect([...disk().links]).toEqual(['domains/demo.example.com/public_html']);
  const observe = vi.spyOn(host.tasks, 'observe');
  expect((await want({})).observeAgainMs).toBeUndefined();
  expect(observe).not.toHaveBeenCalled();
});

test('reports progress of background work, and observes it again', async () => {
  server.apps.outcome = 'goes on';
  expect(await want({})).toMatchObject({ app: { status: 'installing' }, observeAgainMs: 1_000 });
  server.apps.finish(UID, 1, 'done');
  expect(await want({})).toMatchObject({ app: { status: 'running' }, observeAgainMs: undefined });
  expect((await want({ release: zip(7) })).app).toMatchObject({ status: 'updating', release_id: null });
  disk().building = true;
  expect((await want({ release: zip(7) })).app?.status).toBe('building');
  server.apps.finish(UID, 1, 'done');
  expect((await want({ release: zip(7) })).app).toMatchObject({ status: 'running', release_id: 7 });
});

test('removes an app that is deleted while its account is suspended at once', async () => {
  await want({ ...node, release: zip(7) });
  const suspended = { desired_state: 'suspended', generation: 2 } as const;
  expect((await want({ ...node, release: zip(7) }, suspended)).app?.status).toBe('stopped');
  const removed = await want({ ...node, desired_state: 'absent' }, suspended);
  expect(removed.app?.status).toBe('absent');
  expect(removed.conditions.every(({ reason }) => reason === 'Applied')).toBe(true);
  expect(record()).toBeUndefined();
  expect(disk().current).toBeUndefined();
});

test('remembers the previous release that ran, also while newer ones fail to start', async () => {
  const { generation: _, ...started } = { ...node, start_command: 'node server.js', generation: 0 };
  const nodeWants = (release: number) => want({ ...started, release: zip(release) });
  server.nodejsVersions.set('20', { kind: 'ready' });
  for (let round = 0; round < 3; round += 1) await nodeWants(7);
  expect(record()?.former).toBeNull();
  await nodeWants(8);
  expect(record()?.former).toMatchObject({ release: '7' });
  server.programs.program(UID, 1).activity = 'failed';
  await nodeWants(9);
  expect(record()?.former).toMatchObject({ release: '7' });
});

test('swaps in an existing release without a task', async () => {
  await want({ release: zip(7) });
  await want({ release: zip(8) });
  const before = server.apps.started.length;
  const fetch = vi.spyOn(host.archives, 'fetch');
  expect((await want({ release: zip(7) })).app).toMatchObject({ status: 'running', release_id: 7 });
  expect(server.apps.started.length).toBe(before);
  expect(fetch).not.toHaveBeenCalled();
});

describe('a deploy that fails', () => {
  const failing = {
    release: zip(8),
    env: [
      { name: 'TOKEN', value: 'hush-hush', is_secret: true },
      { name: 'KEY', value: '-----BEGIN-----\nfirst-line-of-a-key\n-----END-----', is_secret: true },
    ],
  };
  beforeEach(async () => {
    await want({ release: zip(7) });
    server.apps.outcome = {
      failure: { sentence: 'npm ci failed.', tail: 'log \u001b[31mhush-hush\u0007\nfirst-line-of-a-key\n' },
    };
  });

  test('keeps the serving release, and reports the reason without secrets', async () => {
    expect((await want(failing)).app).toEqual({
      app_id: 1,
      status: 'failed',
      reason: 'npm ci failed.\n\nlog ***\n***',
      release_id: 7,
    });
  });

  test('is not retried, not even by another agent', async () => {
    await want(failing);
    const before = server.apps.started.length;
    host = server.host(new Changes());
    expect(await want(failing)).toMatchObject({ app: { status: 'failed' }, observeAgainMs: undefined });
    expect(server.apps.started.length).toBe(before);
  });

  test('is forgotten after the next success', async () => {
    await want(failing);
    server.apps.outcome = 'done';
    expect((await want({ release: zip(9) })).app).toMatchObject({
      status: 'running',
      release_id: 9,
      reason: '',
    });
    expect(record()).toMatchObject({ failure: null, task: null });
  });

  test('is retried with growing delays if it may succeed later, up to a limit', async () => {
    server.apps.outcome = { failure: { sentence: 'The registry is away.', retry: true } };
    const waits: (number | undefined)[] = [];
    for (let at = 0; at < 20; at += 1) {
      const { observeAgainMs, app: status } = await want(failing);
      waits.push(observeAgainMs);
      if (status?.status === 'failed') break;
      vi.advanceTimersByTime(observeAgainMs!);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, undefined]);
  });

  test('by a timeout or by lack of memory names the cause', async () => {
    server.apps.outcome = { end: 'timeout' };
    expect((await want(failing)).app?.reason).toBe('The task timed out after 900 s.');
    server.apps.outcome = { end: 'oom-kill' };
    expect((await want({ release: zip(10) })).app?.reason).toContain('more memory');
  });

  test('because its task disappeared is retried at once, up to a limit', async () => {
    server.apps.outcome = { end: 'failed' };
    const { observeAgainMs } = await want(failing);
    expect(observeAgainMs).toBe(20_000);
    expect(record()?.failure).toMatchObject({ attempts: 3 });
  });

  test('ignores a result file that the tenant wrote', async () => {
    for (const [at, words] of ['{', 'null', '{"release":"20"}', 'x'.repeat(9_000)].entries()) {
      server.apps.outcome = { end: 'failed' };
      disk().result = words;
      const { app: status } = await want({ release: zip(20 + at) });
      expect(status?.reason).toBe('The task was stopped before it finished.');
    }
  });
});

describe('an archive', () => {
  test('that the control plane no longer has fails the deploy with an explanation', async () => {
    await want({ release: zip(7) });
    server.apps.archive = { kind: 'failed', sentence: 'Deploy it again.', retry: false };
    disk().ready.clear();
    expect((await want({ release: zip(7) })).app).toMatchObject({
      status: 'failed',
      reason: 'Deploy it again.',
      release_id: null,
    });
  });

  test('that is being fetched causes observations only', async () => {
    server.apps.archive = { kind: 'fetching' };
    expect(await want({ release: zip(7) })).toMatchObject({
      app: { status: 'installing' },
      observeAgainMs: 1_000,
    });
    expect(server.apps.started).toEqual([]);
  });
});

test('a newer deploy ends the task of the previous one', async () => {
  server.apps.outcome = 'goes on';
  await want({ release: zip(7) });
  server.apps.outcome = 'done';
  expect((await want({ release: zip(8) })).app).toMatchObject({ status: 'running', release_id: 8 });
  expect(server.apps.tasks.size).toBe(0);
  expect(disk().ready.has('7')).toBe(false);
});

test('a suspension ends the task, and the app continues afterwards', async () => {
  server.apps.outcome = 'goes on';
  await want({ release: zip(7) });
  const suspended = await want({ release: zip(7) }, { desired_state: 'suspended' });
  expect(suspended.app?.status).toBe('stopped');
  expect(server.apps.tasks.size).toBe(0);
  server.apps.outcome = 'done';
  expect((await want({ release: zip(7) })).app).toMatchObject({ status: 'running', release_id: 7 });
});

test('a build waits for its Node.js version, and fails if it is unavailable', async () => {
  expect((await want({ ...node, release: zip(7) })).app?.status).toBe('running');
  server.nodejsVersions.set('22', { kind: 'installing' });
  const waiting = await want({ ...node, node_version: '22', release: zip(8) });
  expect(waiting).toMatchObject({ app: { status: 'updating', release_id: 7 }, observeAgainMs: 1_000 });
  server.nodejsVersions.set('22', { kind: 'failed', reason: 'Not offered.', retryInMs: undefined });
  const without = await want({ ...node, node_version: '22', release: zip(8) });
  expect(without.app).toMatchObject({ status: 'failed', reason: 'Not offered.', release_id: 7 });
  expect(server.apps.started.length).toBe(1);
});

test('variables and keys are in a task’s job, and in no summary of a change', async () => {
  const summaries: string[] = [];
  const key = 'PRIVATE';
  const git = {
    ...zip(7),
    source: 'git' as const,
    git_repository: 'https://h.example/r',
    git_branch: 'main',
  };
  const env = [{ name: 'TOKEN', value: 'hush-hush', is_secret: true }];
  const spec = specOf({ apps: [app({ ...node, release: { ...git, git_deploy_key: key }, env })] });
  await runPass(spec, driversFor('active'), {
    host,
    now: () => 0,
    mayContinue: () => 'go',
    onChange: (_, change) => summaries.push(JSON.stringify(change)),
  });
  expect(JSON.stringify(server.apps.started[0]?.job)).toMatch(/PRIVATE.*hush-hush/);
  expect(summaries.join()).not.toMatch(/PRIVATE|hush-hush/);
  expect(JSON.stringify([...server.apps.records])).not.toMatch(/PRIVATE|hush-hush/);
});

test('a failure is over when somebody wants another try: its attempts begin at 1, once for each', async () => {
  server.apps.outcome = { failure: { sentence: 'The build failed.' } };
  await want({ release: zip(7) });
  expect((await want({ release: zip(7) })).app?.status).toBe('failed');
  const before = server.apps.started.length;
  await want({ release: zip(7) });
  expect(server.apps.started.length).toBe(before);
  await want({ release: zip(7), retries: 1 });
  expect(server.apps.started.length).toBe(before + 1);
  expect(server.apps.started.at(-1)?.job).toMatchObject({ attempt: 1 });
  expect((await want({ release: zip(7), retries: 1 })).app?.status).toBe('failed');
  await want({ release: zip(7), retries: 1 });
  expect(server.apps.started.length).toBe(before + 1);
  server.apps.outcome = 'done';
  await want({ release: zip(7), retries: 2 });
  expect((await want({ release: zip(7), retries: 2 })).app).toMatchObject({
    status: 'running',
    release_id: 7,
  });
});

describe('the commit of a repository', () => {
  const git = (release_id: number) => ({ ...zip(release_id), source: 'git' as const });
  const hash = 'c'.repeat(40);
  const commit = { hash, author: 'Zoë', subject: 'Open the shop' };

  test('is reported with its release, as long as that is the newest that was cloned', async () => {
    server.apps.commit = commit;
    expect((await want({ release: git(7) })).app).toMatchObject({
      release_id: 7,
      commit: { release_id: 7, ...commit },
    });
    expect((await want({ release: git(7) })).app?.commit).toEqual({ release_id: 7, ...commit });
    expect((await want({ release: zip(8) })).app?.commit?.release_id).toBe(7);
  });

  test('is reported with a build that failed', async () => {
    server.apps.commit = commit;
    server.apps.outcome = { failure: { sentence: 'The build failed.' } };
    await want({ release: git(7) });
    expect((await want({ release: git(7) })).app).toMatchObject({
      status: 'failed',
      commit: { release_id: 7, hash },
    });
  });

  test('is untrusted: a hostile text is cleaned, and what is no commit of this release is ignored', async () => {
    server.apps.commit = { hash, author: 'a\u202eb'.repeat(1_000), subject: '\u001b]0;x\u0007<script>' };
    const { app: told } = await want({ release: git(7) });
    expect(told?.commit).toMatchObject({ release_id: 7, subject: ']0;x<script>' });
    expect(told?.commit?.author.length).toBe(100);
    for (const wrong of [{ hash: 'zz' }, { release: '7' }, { hash: 5 as never }]) {
      server.apps.commit = { ...commit, ...wrong };
      expect((await want({ release: git(9) })).app?.commit?.release_id).toBe(7);
      disk().ready.delete('9');
      await want({ release: git(7) });
    }
  });
});

describe('a removed app', () => {
  test('leaves no files, no record and no task', async () => {
    server.apps.outcome = 'goes on';
    await want({ release: zip(7) });
    expect((await want({ desired_state: 'absent' })).app?.status).toBe('absent');
    expect([server.apps.apps.size, server.apps.tasks.size, server.apps.records.size]).toEqual([0, 0, 0]);
  });

  test('is also removed when the spec no longer contains it', async () => {
    await want({});
    await pass(specOf({ apps: [] }));
    expect([server.apps.apps.size, server.apps.records.size]).toEqual([0, 0]);
  });

  test('leaves no record when its account is removed', async () => {
    await want({});
    await want({}, { desired_state: 'absent' });
    expect(server.apps.records.size).toBe(0);
  });
});

test('an app that loses its domain gets its own folder, and its former site is released', async () => {
  await want({});
  await want({ domain_id: null });
  expect([...disk().links]).toEqual(['apps/1/public_html']);
  expect(record()?.link).toBe('apps/1/public_html');
});

test('ends a program before its files are removed, and only if there is one', async () => {
  server.nodejsVersions.set('20', { kind: 'ready' });
  await want({ ...node, start_command: 'node server.js' });
  const remove = vi.spyOn(host.appFiles, 'remove');
  const end = vi.spyOn(host.programs, 'end');
  remove.mockImplementation(async ({ uid }, appId) => {
    expect(server.programs.program(uid, appId).activity).toBe('inactive');
    server.apps.apps.delete(`${uid}-${appId}`);
  });
  expect((await want({ ...node, desired_state: 'absent' })).app).toMatchObject({ status: 'absent' });
  expect(remove).toHaveBeenCalledOnce();
  expect(end).toHaveBeenCalledOnce();
  await want({});
  await want({ desired_state: 'absent' });
  expect(remove).toHaveBeenCalledTimes(2);
  expect(end).toHaveBeenCalledOnce();
});
