import { waitUntil } from '@innkeeper/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();

const gone = (id: number) =>
  waitUntil(`the end of account ${id}`, async () => (await rig.ask('getAccount', { id })).status === 404);

it('a new account has the limits of its package, and is on the node when the API answers', async () => {
  const account = await rig.createAccount({ package_id: rig.packages.small });
  expect(account).toMatchObject({
    email: `${account.username}@example.com`,
    status: 'active',
    linux_user: account.username,
    home_path: `/home/${account.username}`,
    package: { id: rig.packages.small, name: 'Small', disk_mb: 1_000 },
    package_id: rig.packages.small,
    disk_limit_mb: 1_000,
    io_read_mbps: null,
    io_write_mbps: 50,
    max_processes: 50,
    max_domains: 2,
    terminal_access: false,
    synced: true,
    apps_count: 0,
    apps_limit: 1,
    domains: [],
    node: { id: rig.node.id, name: 'web1' },
  });
  expect(rig.node.accounts.get(account.id)).toMatchObject({
    desired_state: 'active',
    linux_user: account.username,
    limits: { disk_mb: 1_000, io_read_mbps: null, io_write_mbps: 50 },
  });
});

it('the database has no password that anybody could read', async () => {
  const { id } = await rig.createAccount({ password: 'do not keep this' });
  const stored = await rig.db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.user_id')
    .selectAll('accounts')
    .select('users.password_hash')
    .where('accounts.id', '=', id)
    .executeTakeFirstOrThrow();
  const audit = await rig.db.selectFrom('audit_log').selectAll().where('account_id', '=', id).execute();
  expect(stored.password_hash).toMatch(/^\$argon2id\$/);
  expect(stored.linux_password_hash).toMatch(/^\$6\$/);
  expect(audit.map(({ action }) => action)).toContain('account.create');
  expect(JSON.stringify([stored, audit])).not.toContain('do not keep this');
});

it.each(['%25', '%C3%BC', '%F0%9F%91%BE', 'x'.repeat(255)])(
  'the list finds no account with the name %s',
  async (username) => {
    await rig.createAccount();
    expect((await rig.ask('listAccounts', { query: `username=${username}` })).body.data).toEqual([]);
  },
);

describe('when the API answers, the node has', () => {
  const onNode = (id: number) => rig.node.accounts.get(id);

  it('a suspended account suspended, and an unsuspended one active, also when it was so before', async () => {
    const { id } = await rig.createAccount();
    for (const [name, status] of [
      ['suspendAccount', 'suspended'],
      ['suspendAccount', 'suspended'],
      ['unsuspendAccount', 'active'],
      ['unsuspendAccount', 'active'],
    ] as const) {
      const reply = await rig.ask(name, { id });
      expect([reply.status, reply.body.data.status, reply.body.data.synced]).toEqual([200, status, true]);
      expect(onNode(id)?.desired_state).toBe(status);
    }
  });

  it('the hash of a new password', async () => {
    const { id } = await rig.createAccount();
    const before = onNode(id)?.password_hash;
    const { status, body } = await rig.ask('setAccountPassword', { id, body: { password: ' another one ' } });
    expect([status, body.data.synced]).toEqual([200, true]);
    expect(onNode(id)?.password_hash).not.toBe(before);
  });

  it('the limits of another package, and limits that replace them', async () => {
    const { id } = await rig.createAccount({ package_id: rig.packages.small, iops: 500 });
    const packaged = await rig.ask('changeAccountPackage', { id, body: { package_id: rig.packages.large } });
    expect(packaged.body.data).toMatchObject({ disk_limit_mb: 5_000, iops: null, synced: true });
    expect(onNode(id)?.limits).toMatchObject({ disk_mb: 5_000, iops: null });
    const body = {
      disk_limit_mb: 300,
      bandwidth_limit_mb: 400,
      cpu_limit_percent: 50,
      ram_limit_mb: 256,
      max_domains: 3,
      max_databases: 0,
      max_apps: 0,
      terminal_access: true,
    };
    const changed = await rig.ask('setAccountResources', { id, body });
    expect(changed.body.data).toMatchObject({ ...body, package_id: rig.packages.large, synced: true });
    expect(onNode(id)?.limits).toMatchObject({ disk_mb: 300, ram_mb: 256 });
  });
});

describe('terminating', () => {
  it('removes the account, and only then frees its name', async () => {
    const { id, username } = await rig.createAccount();
    await rig.ask('createDomain', {
      body: { hosting_account_id: id, domain_name: `${username}.example.com` },
    });
    const removal = Promise.withResolvers<void>();
    onTestFinished(() => removal.resolve());
    rig.node.behaviour.hold = ({ desired_state }) =>
      desired_state === 'absent' ? removal.promise : undefined;
    const first = await rig.ask('terminateAccount', { id });
    expect([first.status, first.body]).toEqual([200, { message: 'Termination queued' }]);
    expect((await rig.ask('getAccount', { id })).body.data.status).toBe('terminating');
    expect((await rig.ask('terminateAccount', { id })).status).toBe(200);
    expect((await rig.ask('checkUsername', { query: `username=${username}` })).body.data.available).toBe(
      false,
    );
    for (const name of ['suspendAccount', 'unsuspendAccount'] as const) {
      const { status, body } = await rig.ask(name, { id });
      expect([status, Object.keys(body)], name).toEqual([422, ['error']]);
    }
    const password = await rig.ask('setAccountPassword', { id, body: { password: 'correct horse' } });
    expect([password.status, Object.keys(password.body)]).toEqual([422, ['error']]);
    removal.resolve();
    await gone(id);
    expect(rig.node.accounts.has(id)).toBe(false);
    expect((await rig.ask('terminateAccount', { id })).status).toBe(404);
    expect((await rig.createAccount({ username })).id).not.toBe(id);
    const again = { hosting_account_id: id, domain_name: `${username}.example.com` };
    expect((await rig.ask('createDomain', { body: again })).status).toBe(404);
  });
});
