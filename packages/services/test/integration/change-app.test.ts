import type { DomainError } from '@innkeeper/domain';
import {
  changeApp,
  getApp,
  listReleases,
  removeApp,
  type ServiceContext,
  stopApp,
  suspendAccount,
} from '@innkeeper/services';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf, specOf } from './fixtures.ts';
import { rowsWhere } from './records.ts';
import { expectRefusal, refusalOf } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n';
const SSH = 'git@git.example.com:me/shop.git';
let app: { account_id: number; app_id: number };

beforeEach(async () => {
  app = await rig.newApp({
    node_version: '20',
    start_command: 'npm start',
    env: new Map([
      ['GREETING', 'hello'],
      ['API_TOKEN', 'first-secret'],
    ]),
    git: { repository: SSH, branch: 'main', deploy_key: KEY },
  });
  await rig.reportApp(app, 'running');
});

const change = (
  {
    env = {},
    removed = [],
    ...rest
  }: { env?: Record<string, string>; removed?: string[] } & Partial<
    Omit<Parameters<typeof changeApp>[1], 'env' | 'removed'>
  >,
  ctx: ServiceContext = admin(),
) => changeApp(ctx, { app_id: app.app_id, removed, env: new Map(Object.entries(env)), ...rest } as never);
const inSpec = async () => (await specOf(rig.db, app.account_id)).apps[0]!;
const generation = async () => (await rowOf(rig.db, app.account_id)).generation;

describe('a change of settings', () => {
  test('is in the next spec, wakes the node and restarts the program; omitted settings keep their values', async () => {
    const ctx = admin();
    const { view, generation: newest } = await change({ node_version: '22', env: { GREETING: 'hi' } }, ctx);
    expect(view).toMatchObject({ node_version: '22', start_command: 'npm start', status: 'starting' });
    expect(ctx.wakes).toEqual([
      { nodeId: expect.any(Number), accountId: app.account_id, generation: newest },
    ]);
    const spec = await inSpec();
    expect(spec).toMatchObject({
      node_version: '22',
      start_command: 'npm start',
      release: { git_repository: SSH, git_branch: 'main', git_deploy_key: KEY },
    });
    expect(Object.fromEntries(spec.env.map(({ name, value }) => [name, value]))).toEqual({
      NODE_ENV: 'production',
      GREETING: 'hi',
      API_TOKEN: 'first-secret',
    });
  });

  test('sets, replaces and removes variables; a secret is stored sealed, and kept variables keep their ids', async () => {
    const ids = async () =>
      new Map((await getApp(admin(), app)).env_vars.map(({ key, id, value }) => [key, { id, value }]));
    const before = await ids();
    await change({
      env: { API_TOKEN: 'second-secret', DB_PASSWORD: 'x y', PLAIN: 'p' },
      removed: ['GREETING'],
    });
    const after = await ids();
    expect(after.get('API_TOKEN')).toEqual({ id: before.get('API_TOKEN')?.id, value: null });
    expect(after.get('DB_PASSWORD')).toMatchObject({ value: null });
    expect(after.get('PLAIN')).toMatchObject({ value: 'p' });
    expect(after.has('GREETING')).toBe(false);
    const { env } = await inSpec();
    expect(env).toContainEqual({ name: 'API_TOKEN', value: 'second-secret', is_secret: true });
    const rows = JSON.stringify([
      await rowsWhere(rig.db, 'app_env_vars', { app_id: app.app_id }),
      await rowsWhere(rig.db, 'audit_log', { account_id: app.account_id }),
    ]);
    for (const secret of ['first-secret', 'second-secret', 'x y']) expect(rows).not.toContain(secret);
  });

  test('is audited with names of variables, never values', async () => {
    await change({
      start_command: 'node server.js',
      env: { GREETING: 'changed' },
      git: { repository: SSH, branch: 'trunk', deploy_key: null },
    });
    expect(await rig.newestAudit(app.account_id)).toMatchObject({
      action: 'app.update',
      target: `app:${app.app_id}`,
      before: { start_command: 'npm start', git: { repository: SSH, branch: 'main' } },
      after: { start_command: 'node server.js', git: { repository: SSH, branch: 'trunk' } },
      changed_variables: ['GREETING'],
    });
  });

  test('of the repository needs no new key, makes no release, and leaves the program alone', async () => {
    const releases = await listReleases(admin(), app);
    const other = 'git@git.example.com:me/other.git';
    const { view } = await change({ git: { repository: other, branch: 'main', deploy_key: null } });
    expect(view).toMatchObject({ status: 'running', git: { repository: other, branch: 'main' } });
    expect((await inSpec()).release).toMatchObject({ git_repository: other, git_deploy_key: KEY });
    expect(await listReleases(admin(), app)).toEqual(releases);
  });

  test('with a new key stores it sealed', async () => {
    const key = KEY.replace('AAAA', 'BBBB');
    await change({ git: { repository: SSH, branch: 'main', deploy_key: key } });
    expect((await inSpec()).release).toMatchObject({ git_deploy_key: key });
    expect(JSON.stringify(await rowsWhere(rig.db, 'apps', { id: app.app_id }))).not.toContain('BBBB');
  });

  test('that changes nothing is not stored', async () => {
    const before = await generation();
    const ctx = admin();
    await change({ node_version: '20', env: { GREETING: 'hello', API_TOKEN: 'first-secret' } }, ctx);
    expect([await generation(), ctx.wakes]).toEqual([before, []]);
  });

  test('of a stopped app does not start it', async () => {
    await stopApp(admin(), app);
    await rig.reportApp(app, 'stopped');
    expect((await change({ env: { GREETING: 'later' } })).view.status).toBe('stopped');
  });
});

describe('a refused change', () => {
  test('has the rules of an install, and changes nothing', async () => {
    const before = await generation();
    const refused = await refusalOf(
      change({
        node_version: '4',
        start_command: 'npm start | tee',
        git: { repository: 'https://127.0.0.1/me.git', branch: 'main', deploy_key: null },
      }),
    );
    expect(Object.keys((refused as DomainError).fields ?? {}).toSorted()).toEqual([
      'git.repository',
      'node_version',
      'start_command',
    ]);
    const tooMuch = {
      env: Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [name, 'x'.repeat(30_000)])),
    };
    expect(Object.keys(((await refusalOf(change(tooMuch))) as DomainError).fields ?? {})).toEqual(['env']);
    expect(await generation()).toBe(before);
  });

  test('includes apps of another reseller, apps that are being removed or have no template, and suspended accounts', async () => {
    await expectRefusal(change({ env: { A: '1' } }, await addReseller(rig.db)), 'not_found');
    await suspendAccount(admin(), { account_id: app.account_id });
    await expectRefusal(change({ env: { A: '1' } }), 'forbidden');
    app = await rig.newApp();
    await removeApp(admin(), app);
    await expectRefusal(change({ env: { A: '1' } }), 'precondition_failed');
    app = await rig.newApp();
    await rig.db.updateTable('apps').set({ template_key: 'gone' }).where('id', '=', app.app_id).execute();
    await expectRefusal(change({ env: { A: '1' } }), 'precondition_failed');
  });
});
