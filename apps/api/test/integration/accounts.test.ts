import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());

let serial = 0;
const person = () => {
  serial += 1;
  return {
    username: `user${serial}`,
    name: `User ${serial}`,
    email: `user${serial}@example.com`,
    password: 'correct horse',
  };
};
const customLimits = {
  disk_limit_mb: 300,
  bandwidth_limit_mb: 400,
  cpu_limit_percent: 50,
  ram_limit_mb: 256,
  max_domains: 3,
  max_databases: 0,
  max_apps: 0,
};

async function create(fields: object = {}, token = rig.adminToken) {
  const body = { ...person(), package_id: rig.packages.small, ...fields };
  const reply = await rig.ask('createAccount', { body, token });
  expect(reply.body, JSON.stringify(reply.body)).toHaveProperty('data');
  expect(reply.status).toBe(201);
  return reply.body.data;
}

const gone = (id: number) =>
  waitUntil(`the end of account ${id}`, async () => (await rig.ask('getAccount', { id })).status === 404);

describe('creating an account', () => {
  it('with a package takes its limits, and is true on the node when it answers', async () => {
    const fields = person();
    const account = await create(fields);
    expect(account).toMatchObject({
      username: fields.username,
      email: fields.email,
      status: 'active',
      linux_user: fields.username,
      home_path: `/home/${fields.username}`,
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
      linux_user: fields.username,
      limits: { disk_mb: 1_000, io_read_mbps: null, io_write_mbps: 50 },
    });
  });

  it('with a package takes overrides, and null as the package’s value', async () => {
    const account = await create({
      disk_limit_mb: '2000',
      iops: 500,
      io_write_mbps: null,
      terminal_access: '1',
      max_apps: 0,
    });
    expect(account).toMatchObject({
      disk_limit_mb: 2_000,
      iops: 500,
      io_write_mbps: 50,
      terminal_access: true,
      max_apps: 0,
      package: { disk_mb: 1_000 },
    });
  });

  it('without a package takes limits of its own, and null as unlimited', async () => {
    const account = await create({ package_id: null, ...customLimits, io_read_mbps: 5 });
    expect(account).toMatchObject({
      ...customLimits,
      io_read_mbps: 5,
      io_write_mbps: null,
      iops: null,
      max_processes: null,
      package: { name: 'Custom' },
      terminal_access: false,
    });
  });

  it('may be a form', async () => {
    const fields = { ...person(), package_id: String(rig.packages.small) };
    const { status } = await rig.ask('createAccount', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(201);
  });

  it('puts an underscore before a Linux user that would not start with a letter', async () => {
    expect(await create({ username: '1and1' })).toMatchObject({ username: '1and1', linux_user: '_1and1' });
  });

  it('takes an email that another account has, and none that an admin or reseller has', async () => {
    const { email } = await create();
    await create({ email });
    const refused = await rig.ask('createAccount', {
      body: { ...person(), email: 'Admin@PANEL.test', package_id: rig.packages.small },
    });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
  });

  it('is refused for names of accounts, panel users and the system, whatever their case', async () => {
    const { username } = await create();
    for (const taken of [username, username.toUpperCase(), 'acme', 'root', 'www-data', 'nobody', 'mysql']) {
      const refused = await rig.ask('createAccount', {
        body: { ...person(), username: taken, package_id: rig.packages.small },
      });
      expect([refused.status, refused.body.errors], taken).toEqual([
        422,
        { username: ['The username has already been taken.'] },
      ]);
    }
  });

  it('is refused for a package that is not there, and to a reseller for one that it may not sell', async () => {
    const refusedBy = async (package_id: number, token: string) =>
      (await rig.ask('createAccount', { body: { ...person(), package_id }, token })).body.errors;
    const invalid = { package_id: ['The selected package id is invalid.'] };
    expect(await refusedBy(4_242, rig.adminToken)).toEqual(invalid);
    expect(await refusedBy(-1, rig.adminToken)).toEqual(invalid);
    expect(await refusedBy(rig.packages.adminOnly, rig.resellerToken)).toEqual(invalid);
  });

  it('of one name twice at once makes one', async () => {
    const body = { ...person(), package_id: rig.packages.small };
    const replies = await Promise.all([1, 2, 3, 4].map(() => rig.ask('createAccount', { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });

  it('keeps no password that could be read', async () => {
    const { id } = await create({ password: 'do not keep this' });
    const account = await rig.db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const user = await rig.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', account.user_id)
      .executeTakeFirstOrThrow();
    const audit = await rig.db.selectFrom('audit_log').selectAll().where('account_id', '=', id).execute();
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
    expect(account.linux_password_hash).toMatch(/^\$6\$/);
    expect(audit.map(({ action }) => action)).toContain('account.create');
    expect(JSON.stringify([account, user, audit])).not.toContain('do not keep this');
  });
});

describe('listing accounts', () => {
  it('is paged, newest pages empty past the end', async () => {
    await create();
    const all = (await rig.ask('listAccounts', { query: 'per_page=100' })).body;
    expect(all.total).toBe(all.data.length);
    const second = (await rig.ask('listAccounts', { query: 'per_page=2&page=2' })).body;
    expect(second).toMatchObject({ current_page: 2, per_page: 2, from: 3, total: all.total });
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual(
      all.data.slice(2, 4).map(({ id }: { id: number }) => id),
    );
    const past = (await rig.ask('listAccounts', { query: 'page=99999999' })).body;
    expect(past).toMatchObject({ data: [], from: null, to: null, total: all.total });
  });

  it('by name finds one or none', async () => {
    const { id, username } = await create();
    const found = async (query: string, token = rig.adminToken) =>
      (await rig.ask('listAccounts', { query, token })).body.data.map(
        (account: { id: number }) => account.id,
      );
    expect(await found(`username=${username.toUpperCase()}`)).toEqual([id]);
    expect(await found(`username=${username.slice(0, -1)}`)).not.toContain(id);
    for (const none of ['%25', '%C3%BC', '%F0%9F%91%BE', 'x'.repeat(255)])
      expect(await found(`username=${none}`), none).toEqual([]);
    expect(await found(`username=${username}`, rig.resellerToken)).toEqual([]);
  });

  it('shows a reseller its own alone, and no node', async () => {
    const own = await create({}, rig.resellerToken);
    const { body } = await rig.ask('listAccounts', { query: 'per_page=100', token: rig.resellerToken });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([own.id]);
    expect(JSON.stringify(body)).not.toContain('web1');
    expect(own).not.toHaveProperty('node');
  });
});

describe('an account of another', () => {
  it('is not there, for every endpoint', async () => {
    const { id } = await create();
    const fields = {
      setAccountPassword: { password: 'correct horse' },
      changeAccountPackage: { package_id: rig.packages.large },
      setAccountResources: { ...customLimits, terminal_access: false },
    };
    for (const name of [
      'getAccount',
      'suspendAccount',
      'unsuspendAccount',
      'setAccountPassword',
      'changeAccountPackage',
      'setAccountResources',
      'terminateAccount',
    ] as const) {
      for (const body of [name in fields ? fields[name as keyof typeof fields] : undefined, {}]) {
        const reply = await rig.ask(name, {
          id,
          token: rig.resellerToken,
          body: name === 'getAccount' ? undefined : body,
        });
        expect([reply.status, reply.body], name).toEqual([404, { message: 'Not found.' }]);
      }
    }
    expect((await rig.ask('getAccount', { id })).body.data.status).toBe('active');
  });
});

describe('checking a name', () => {
  it('says whether it is free, without saying why', async () => {
    const { username } = await create();
    for (const token of [rig.adminToken, rig.resellerToken]) {
      const asked = async (name: string) =>
        (await rig.ask('checkUsername', { query: `username=${name}`, token })).body;
      expect(await asked('Free-Name')).toEqual({ data: { username: 'free-name', available: true } });
      for (const taken of [username, 'acme', 'root-admin', 'root'])
        expect(await asked(taken)).toEqual({ data: { username: taken, available: false } });
    }
  });

  it.each([
    '',
    'username=ab',
    'username=abcdefghijklmnopq',
    'username=a..b',
    'username[]=abc',
    'username=a%0Ab',
  ])('refuses "%s"', async (query) => {
    const { status, body } = await rig.ask('checkUsername', { query });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['username']]);
  });
});

describe('showing an account', () => {
  it('includes apps and usage when asked', async () => {
    const { id } = await create();
    const plain = (await rig.ask('getAccount', { id })).body.data;
    expect(plain).not.toHaveProperty('apps');
    expect(plain).not.toHaveProperty('usage');
    const { apps, usage } = (await rig.ask('getAccount', { id, query: 'include=apps,usage,else' })).body.data;
    expect(apps).toEqual([]);
    expect(usage).toMatchObject({ disk_used_mb: 0, disk_limit_mb: 1_000, ram_limit_mb: 512 });
  });
});

describe('suspending', () => {
  it('is true on the node when it answers, can be repeated and undone', async () => {
    const { id } = await create();
    for (const name of [
      'suspendAccount',
      'suspendAccount',
      'unsuspendAccount',
      'unsuspendAccount',
    ] as const) {
      const expected = name === 'suspendAccount' ? 'suspended' : 'active';
      const { status, body } = await rig.ask(name, { id });
      expect([status, body.data.status, body.data.synced]).toEqual([200, expected, true]);
      expect(rig.node.accounts.get(id)?.desired_state).toBe(expected);
    }
  });
});

describe('a new password', () => {
  it('goes to the node as another hash', async () => {
    const { id } = await create();
    const before = rig.node.accounts.get(id)?.password_hash;
    const { status, body } = await rig.ask('setAccountPassword', {
      id,
      body: { password: ' another one ' },
    });
    expect([status, body.data.synced]).toEqual([200, true]);
    expect(rig.node.accounts.get(id)?.password_hash).not.toBe(before);
  });
});

describe('another package', () => {
  it('resets every limit to the package’s', async () => {
    const { id } = await create({ disk_limit_mb: 2_000, iops: 500, max_apps: 0 });
    const { body } = await rig.ask('changeAccountPackage', {
      id,
      body: { package_id: rig.packages.large },
    });
    expect(body.data).toMatchObject({
      package: { id: rig.packages.large, name: 'Large' },
      disk_limit_mb: 5_000,
      iops: null,
      max_apps: 1,
      max_domains: 5,
      terminal_access: true,
      synced: true,
    });
  });

  it('is refused when it is the same, exceeded, or not there', async () => {
    const { id } = await create({ package_id: rig.packages.large });
    for (const n of [1, 2, 3]) {
      const domain_name = `p${n}.packages.example.com`;
      await rig.ask('createDomain', { body: { hosting_account_id: id, domain_name } });
    }
    const change = async (package_id: number) => {
      const { status, body } = await rig.ask('changeAccountPackage', { id, body: { package_id } });
      return [status, Object.keys(body)];
    };
    expect(await change(rig.packages.large)).toEqual([422, ['message']]);
    expect(await change(rig.packages.small)).toEqual([422, ['message']]);
    expect(await change(4_242)).toEqual([422, ['message', 'errors']]);
    expect((await rig.ask('getAccount', { id })).body.data.package_id).toBe(rig.packages.large);
  });
});

describe('other limits', () => {
  it('leave what is omitted, lift what is null, and keep the package', async () => {
    const { id } = await create({ iops: 500 });
    const body = { ...customLimits, io_write_mbps: null, terminal_access: true };
    const reply = await rig.ask('setAccountResources', { id, body });
    expect(reply.body.data).toMatchObject({
      ...customLimits,
      io_read_mbps: null,
      io_write_mbps: null,
      iops: 500,
      max_processes: 50,
      terminal_access: true,
      package_id: rig.packages.small,
      synced: true,
    });
  });

  it('are refused below what is in use', async () => {
    const { id } = await create();
    for (const n of [1, 2]) {
      const domain_name = `r${n}.resources.example.com`;
      await rig.ask('createDomain', { body: { hosting_account_id: id, domain_name } });
    }
    const reply = await rig.ask('setAccountResources', {
      id,
      body: { ...customLimits, max_domains: 1, terminal_access: false },
    });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['max_domains']]);
  });
});

describe('terminating', () => {
  it('removes the account, and only then frees its name', async () => {
    const { id, username } = await create();
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
    expect((await create({ username })).id).not.toBe(id);
    const again = { hosting_account_id: id, domain_name: `${username}.example.com` };
    expect((await rig.ask('createDomain', { body: again })).status).toBe(404);
  });
});
