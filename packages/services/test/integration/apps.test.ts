import {
  createApp,
  createDomain,
  getAccount,
  getApp,
  listApps,
  type NewApp,
  removeApp,
  removeDomain,
  suspendAccount,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { auditOf, reportNewest, rowOf, specOf } from './fixtures.ts';
import { fresh, rowsWhere } from './records.ts';
import { expectRace, expectRefusal, forbidden, invalid, limitReached } from './refusals.ts';

const rig = useDatabaseRig({ max_apps: 100, max_databases: 5 });
const { admin, newAccount } = rig;

const newDomain = async (hosting_account_id: number) =>
  (await createDomain(admin(), { hosting_account_id, domain_name: `${fresh('app')}.example` })).view;
const install = (hosting_account_id: number, more: Partial<NewApp> = {}, ctx = admin()) =>
  createApp(ctx, { hosting_account_id, template_key: 'nodejs', name: 'Shop', env: new Map(), ...more });
const rowsOf = (table: 'apps' | 'app_env_vars' | 'app_releases' | 'databases', account_id: number) =>
  rowsWhere(rig.db, table, { account_id });
const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n';

describe('installing', () => {
  test('a Node.js app gets the defaults of its template; secrets are sealed and never shown', async () => {
    const id = await newAccount();
    const ctx = admin();
    const git = { repository: 'git@git.example.com:a/b.git', branch: 'main', deploy_key: key };
    const env = new Map([
      ['API_TOKEN', 'hush-hush'],
      ['GREETING', 'hello'],
      ['NODE_ENV', ''],
    ]);
    const { view, generation } = await install(id, { env, git }, ctx);
    const { linux_user } = await rowOf(rig.db, id);
    expect(view).toEqual({
      id: view.id,
      hosting_account_id: id,
      name: 'Shop',
      template_key: 'nodejs',
      template_name: 'Node.js',
      status: 'installing',
      status_reason: null,
      node_version: '24',
      start_command: 'npm start',
      deploy_root: `/home/${linux_user}/apps/${view.id}/current`,
      release: { id: expect.any(Number), source: 'git', created_at: expect.any(Date) },
      last_error: null,
      git: { repository: git.repository, branch: 'main' },
      env_vars: [
        { id: expect.any(Number), key: 'API_TOKEN', value: null, is_secret: true },
        { id: expect.any(Number), key: 'GREETING', value: 'hello', is_secret: false },
        { id: expect.any(Number), key: 'NODE_ENV', value: 'production', is_secret: false },
      ],
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    expect(ctx.wakes).toMatchObject([{ accountId: id, generation }]);
    const stored = JSON.stringify([await rowsOf('apps', id), await rowsOf('app_env_vars', id)]);
    expect(stored).not.toMatch(/hush-hush|c2VjcmV0/);
    const log = (await rowsWhere(rig.db, 'audit_log', { account_id: id })).map(({ details }) => details);
    expect(log.at(-1)).toContain('"env":["API_TOKEN","GREETING","NODE_ENV"]');
    expect(JSON.stringify(log)).not.toMatch(/hush-hush|c2VjcmV0|hello|production/);
    const spec = await specOf(rig.db, id);
    expect(spec.apps).toEqual([
      {
        app_id: view.id,
        template_key: 'nodejs',
        runtime: 'nodejs',
        installer: 'starter',
        desired_state: 'running',
        domain_id: null,
        database_id: null,
        node_version: '24',
        start_command: 'npm start',
        env: [
          { name: 'API_TOKEN', value: 'hush-hush', is_secret: true },
          { name: 'GREETING', value: 'hello', is_secret: false },
          { name: 'NODE_ENV', value: 'production', is_secret: false },
        ],
        release: {
          release_id: view.release?.id,
          source: 'git',
          archive_sha256: '',
          archive_bytes: 0,
          git_repository: git.repository,
          git_branch: 'main',
          git_deploy_key: key,
        },
        retries: 0,
      },
    ]);
  });

  test('WordPress gets its own database in the same transaction, and the database counts for the limit', async () => {
    const id = await newAccount({ max_databases: 1 });
    const [one, two] = [await newDomain(id), await newDomain(id)];
    const { view } = await install(id, { template_key: 'wordpress', domain_id: one.id });
    const [app] = await rowsOf('apps', id);
    const [made] = await rowsOf('databases', id);
    expect(app).toMatchObject({ runtime: 'php', installer: 'wordpress', database_id: made?.id });
    expect(made).toMatchObject({ app_id: view.id });
    expect(view.deploy_root).toBe(one.document_root);
    const spec = await specOf(rig.db, id);
    expect(spec.apps).toMatchObject([{ domain_id: one.id, database_id: made?.id, start_command: '' }]);
    await expectRefusal(
      install(id, { template_key: 'wordpress', domain_id: two.id }),
      limitReached('Database', 1),
    );
    expect(await rowsOf('apps', id)).toHaveLength(1);
  });

  test('a start command, a version and variables may be chosen', async () => {
    const env = new Map([['NODE_ENV', 'staging']]);
    const { view } = await install(await newAccount(), {
      node_version: '20',
      start_command: 'node a.js',
      env,
    });
    expect(view).toMatchObject({ node_version: '20', start_command: 'node a.js' });
    expect(view.env_vars).toMatchObject([{ key: 'NODE_ENV', value: 'staging' }]);
  });

  test.each<[why: string, more: Partial<NewApp>, fields: Record<string, string>]>([
    [
      'an unknown template',
      { template_key: 'rails' },
      { template_key: 'The selected template key is invalid.' },
    ],
    [
      'a name of an object',
      { template_key: '__proto__' },
      { template_key: 'The selected template key is invalid.' },
    ],
    ['PHP without a domain', { template_key: 'php' }, { domain_id: 'The domain id field is required.' }],
    ['an unknown domain', { domain_id: 999_999 }, { domain_id: 'The selected domain id is invalid.' }],
    ['an unknown version', { node_version: '16' }, { node_version: 'The selected node version is invalid.' }],
    [
      'a command for a shell',
      { start_command: 'node a.js && node b.js' },
      { start_command: 'The start command field must not have & (a list of commands): no shell reads it.' },
    ],
    [
      'a repository in the private network',
      { git: { repository: 'https://10.0.0.1/a', branch: 'main', deploy_key: null } },
      { 'git.repository': 'The git.repository field must name a host of the public internet.' },
    ],
    [
      'a repository in a private network that is not the allowed one',
      { git: { repository: 'https://10.0.1.1/a', branch: 'main', deploy_key: null } },
      { 'git.repository': 'The git.repository field must name a host of the public internet.' },
    ],
    [
      'SSH without a key',
      { git: { repository: 'git@git.example.com:a', branch: 'main', deploy_key: null } },
      { 'git.deploy_key': 'The git.deploy_key field is required for a repository over SSH.' },
    ],
    [
      'all that is Node’s on a static site',
      {
        template_key: 'static',
        node_version: '22',
        start_command: 'npm start',
        git: { repository: 'https://git.example.com/a', branch: 'main', deploy_key: null },
      },
      {
        domain_id: 'The domain id field is required.',
        node_version: 'The node version field is only for Node.js apps.',
        start_command: 'The start command field is only for Node.js apps.',
        git: 'The git field is only for Node.js apps.',
      },
    ],
  ])('%s is refused at its field, and nothing is written', async (_why, more, fields) => {
    const id = await newAccount();
    const expected = Object.fromEntries(Object.entries(fields).map(([field, said]) => [field, [said]]));
    await expectRefusal(install(id, more), { code: 'invalid', fields: expected });
    expect(await rowsOf('apps', id)).toEqual([]);
    expect((await rowOf(rig.db, id)).generation).toBe(1);
  });

  test('a domain belongs to the same account and to one app only', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    const domain = await newDomain(id);
    const unknown = invalid({ domain_id: 'The selected domain id is invalid.' });
    await expectRefusal(install(other, { domain_id: domain.id }), unknown);
    const { view } = await install(id, { template_key: 'php', domain_id: domain.id });
    const taken = invalid({ domain_id: 'The domain id has already been taken.' });
    await expectRefusal(install(id, { domain_id: domain.id }), taken);
    await removeApp(admin(), { app_id: view.id });
    await expectRefusal(install(id, { domain_id: domain.id }), taken);
    const going = await newDomain(id);
    await removeDomain(admin(), { domain_id: going.id });
    await expectRefusal(install(id, { domain_id: going.id }), unknown);
  });

  test('a repository in a private network that the operator allows is accepted', async () => {
    const ctx = { ...admin(), gitAllowedNetworks: ['10.0.0.0/24'] };
    const git = { repository: 'https://10.0.0.1/a.git', branch: 'main', deploy_key: null };
    const { view } = await install(await newAccount(), { git }, ctx);
    expect(view.id).toBeGreaterThan(0);
  });

  test('an operator’s template requires its variables and seals its secrets', async () => {
    const ctx = admin();
    const variable = { label: 'L', description: '', required: true, secret: false, default: null };
    const template = {
      key: 'ghost',
      name: 'Ghost',
      description: '',
      icon: 'app',
      runtime: 'nodejs' as const,
      installer: 'starter' as const,
      requires_domain: false,
      database: true,
      node_versions: ['22'],
      start_command: null,
      env_schema: [
        { ...variable, name: 'URL' },
        { ...variable, name: 'SALT', secret: true },
        { ...variable, name: 'MODE', default: 'live' },
      ],
    };
    ctx.appTemplates = new Map([['ghost', template]]);
    const id = await newAccount();
    await expectRefusal(
      install(id, { template_key: 'ghost', env: new Map([['URL', '']]) }, ctx),
      invalid({
        start_command: 'The start command field is required.',
        'env.URL': 'The env.URL field is required.',
        'env.SALT': 'The env.SALT field is required.',
      }),
    );
    const env = new Map([
      ['URL', 'https://a.example'],
      ['SALT', 'grain'],
    ]);
    const { view } = await install(id, { template_key: 'ghost', start_command: 'node x', env }, ctx);
    expect(view.env_vars.map((one) => [one.key, one.value])).toEqual([
      ['URL', 'https://a.example'],
      ['SALT', null],
      ['MODE', 'live'],
    ]);
    expect(await rowsOf('databases', id)).toHaveLength(1);
    const later = admin();
    expect(await getApp(later, { app_id: view.id })).toMatchObject({
      template_key: 'ghost',
      template_name: 'ghost',
    });
    const spec = await specOf(rig.db, id);
    expect(spec.apps).toMatchObject([{ runtime: 'nodejs', installer: 'starter' }]);
  });

  test('a Node.js version that the node does not have is refused', async () => {
    const id = await newAccount();
    const { node_id } = await rowOf(rig.db, id);
    const say = (node_versions: string | null) =>
      rig.db.updateTable('nodes').set({ node_versions }).where('id', '=', node_id).execute();
    try {
      await say('["18","20"]');
      await expectRefusal(
        install(id, { node_version: '22' }),
        invalid({ node_version: 'The selected node version is invalid.' }),
      );
      expect((await install(id)).view.node_version).toBe('20');
      await say('["16"]');
      await expectRefusal(install(id), invalid({ node_version: 'The selected node version is invalid.' }));
    } finally {
      await say(null);
    }
  });

  test('of 32 concurrent installs on one domain, one succeeds', async () => {
    const id = await newAccount();
    const { id: domain_id } = await newDomain(id);
    const refusal = invalid({ domain_id: 'The domain id has already been taken.' });
    await expectRace({ calls: 32, winners: 1, refusal }, () => install(id, { domain_id }));
  });

  test('is forbidden on a suspended account', async () => {
    const id = await newAccount();
    await suspendAccount(admin(), { account_id: id });
    await expectRefusal(install(id, { template_key: 'no' }), forbidden('This action is unauthorized.'));
  });
});

describe('listing', () => {
  test('filters by account and by the shown status', async () => {
    const id = await newAccount();
    const [running, failed, going] = [await install(id), await install(id), await install(id)];
    await removeApp(admin(), { app_id: going.view.id });
    const said = { reason: '', release_id: null };
    await reportNewest(rig.db, id, {
      apps: [
        { app_id: running.view.id, status: 'running', ...said },
        { app_id: failed.view.id, status: 'failed', ...said, reason: 'npm ERR!' },
        { app_id: going.view.id, status: 'running', ...said },
      ],
    });
    const list = async (status?: 'running' | 'failed' | 'removing' | 'pending') =>
      (await listApps(admin(), { hosting_account_id: id, status, page: 1, per_page: 25 })).items.map(
        (app) => [app.id, app.status],
      );
    expect(await list()).toEqual([
      [running.view.id, 'running'],
      [failed.view.id, 'failed'],
      [going.view.id, 'removing'],
    ]);
    expect(await list('running')).toEqual([[running.view.id, 'running']]);
    expect(await list('failed')).toEqual([[failed.view.id, 'failed']]);
    expect(await list('removing')).toEqual([[going.view.id, 'removing']]);
    expect(await list('pending')).toEqual([]);
    const shown = await getAccount(admin(), { account_id: id, include: new Set(['apps']) });
    expect(shown.apps_count).toBe(2);
    expect(shown.apps).toEqual([
      {
        id: running.view.id,
        name: 'Shop',
        template_key: 'nodejs',
        template_name: 'Node.js',
        status: 'running',
      },
      {
        id: failed.view.id,
        name: 'Shop',
        template_key: 'nodejs',
        template_name: 'Node.js',
        status: 'failed',
      },
    ]);
  });
});

describe('removing', () => {
  test('leaves a tombstone until the node reports the app gone, then deletes everything of the app', async () => {
    const id = await newAccount();
    const domain = await newDomain(id);
    const { view } = await install(id, {
      template_key: 'wordpress',
      domain_id: domain.id,
      env: new Map([['A_KEY', 'x']]),
    });
    const [made] = await rowsOf('databases', id);
    const ctx = admin();
    await removeApp(ctx, { app_id: view.id });
    expect(await removeApp(ctx, { app_id: view.id })).toMatchObject({ generation: 4 });
    expect(ctx.wakes).toHaveLength(1);
    expect((await getApp(ctx, { app_id: view.id })).status).toBe('removing');
    const spec = await specOf(rig.db, id);
    expect(spec.apps).toMatchObject([{ desired_state: 'absent', database_id: made?.id }]);
    expect(spec.databases).toMatchObject([{ desired_state: 'absent' }]);

    const absent = {
      apps: [{ app_id: view.id, status: 'absent' as const, reason: '', release_id: null }],
      databases: [{ database_id: made?.id ?? 0, status: 'absent' as const, reason: '' }],
    };
    await reportNewest(rig.db, id, { ...absent, outcome: 'progressing' });
    expect(await rowsOf('apps', id)).toHaveLength(1);
    await reportNewest(rig.db, id, absent);
    for (const table of ['apps', 'app_env_vars', 'app_releases', 'databases'] as const)
      expect(await rowsOf(table, id), table).toEqual([]);
    expect(await auditOf(rig.db, id)).toEqual([
      'account.create',
      'domain.create',
      'app.create',
      'app.delete',
      'app.removed',
      'database.removed',
    ]);
    await install(id, { template_key: 'php', domain_id: domain.id });
  });

  test('a domain keeps its app, without a domain', async () => {
    const id = await newAccount();
    const domain = await newDomain(id);
    const { view } = await install(id, { template_key: 'php', domain_id: domain.id });
    await removeDomain(admin(), { domain_id: domain.id });
    const shown = await getApp(admin(), { app_id: view.id });
    const { linux_user } = await rowOf(rig.db, id);
    expect(shown.domain).toBeUndefined();
    expect(shown.deploy_root).toBe(`/home/${linux_user}/apps/${view.id}/public_html`);
    const spec = await specOf(rig.db, id);
    expect(spec.apps).toMatchObject([{ domain_id: null, desired_state: 'running' }]);
    expect(spec.domains).toMatchObject([{ desired_state: 'absent' }]);
  });
});
