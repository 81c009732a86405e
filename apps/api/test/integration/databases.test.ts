import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
let accountId: number;
let serial = 0;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());
beforeEach(async () => {
  accountId = await createAccount();
});

async function createAccount(token = rig.adminToken): Promise<number> {
  serial += 1;
  const { body } = await rig.ask('createAccount', {
    token,
    body: {
      username: `data${serial}`,
      name: 'D',
      email: 'd@example.com',
      password: 'correct horse',
      package_id: rig.packages.large,
      max_databases: 3,
    },
  });
  return body.data.id;
}

const add = (more: object = {}, token = rig.adminToken) =>
  rig.ask('createDatabase', { token, body: { hosting_account_id: accountId, ...more } });
const show = async (id: number) => (await rig.ask('getDatabase', { id })).body.data;
const onNode = (id: number) =>
  rig.node.accounts.get(accountId)?.databases.find(({ database_id }) => database_id === id);
const active = async () => {
  const { id } = (await add()).body.data;
  await waitUntil('the database', async () => (await show(id)).status === 'active');
  return id;
};

describe('adding a database', () => {
  it('answers at once with a pending one, which its node then has', async () => {
    const { status, body } = await add({ name: ' My Blog ' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        hosting_account_id: accountId,
        hosting_account: { id: accountId, username: `data${serial}` },
        name: 'My Blog',
        db_name: `data${serial}_my_blog`,
        db_user: `data${serial}_my_blog`,
        db_host: 'localhost',
        status: 'pending',
        status_reason: null,
        allowed_ips: null,
      },
    ]);
    await waitUntil('the database', async () => (await show(body.data.id)).status === 'active');
    expect(onNode(body.data.id)).toMatchObject({ db_name: `data${serial}_my_blog`, desired_state: 'active' });
  });

  it('makes a label up where none is sent', async () => {
    for (const name of [undefined, null, '', '  ']) {
      accountId = await createAccount();
      const { data } = (await add({ name })).body;
      expect(data.db_name).toMatch(/^data\d+_[a-z0-9]{6}$/);
      expect(data.name).toBe(data.db_name);
    }
  });

  it('is refused beyond the account’s limit', async () => {
    for (const _ of [1, 2, 3]) expect((await add()).status).toBe(201);
    const { status, body } = await add();
    expect([status, body]).toEqual([422, { error: 'Database limit reached (3).' }]);
  });

  it('is refused for a label whose name is taken', async () => {
    await add({ name: 'shop' });
    const { status, body } = await add({ name: 'Shop' });
    expect([status, body]).toEqual([
      422,
      {
        message: 'The name has already been taken.',
        errors: { name: ['The name has already been taken.'] },
      },
    ]);
  });

  it('is refused for an account that is not there or another’s', async () => {
    for (const hosting_account_id of [4_242, -1, 0]) {
      const { status, body } = await add({ hosting_account_id });
      expect([status, body], String(hosting_account_id)).toEqual([404, { message: 'Not found.' }]);
    }
    expect((await add({}, rig.resellerToken)).status).toBe(404);
    expect((await add({ name: ['x'] }, rig.resellerToken)).status).toBe(404);
  });

  it.each<[field: string, value: unknown, sentence: string]>([
    ['hosting_account_id', undefined, 'The hosting account id field is required.'],
    ['hosting_account_id', 'x', 'The hosting account id field must be an integer.'],
    ['name', ['x'], 'The name field must be a string.'],
    ['name', 'x'.repeat(65), 'The name field must not be greater than 64 characters.'],
    ['name', 'a\nb', 'The name field format is invalid.'],
  ])('refuses %s %j', async (field, value, sentence) => {
    const { status, body } = await add({ [field]: value });
    expect([status, body.errors?.[field]?.[0]]).toEqual([422, sentence]);
  });
});

describe('listing databases', () => {
  it('is of one account or of all, and of nobody else’s', async () => {
    const { id } = (await add()).body.data;
    const list = (query: string, token = rig.adminToken) => rig.ask('listDatabases', { query, token });
    const one = (await list(`hosting_account_id=${accountId}`)).body;
    expect([one.total, one.per_page, one.data[0].id]).toEqual([1, 25, id]);
    expect(one.data[0]).not.toHaveProperty('hosting_account');
    expect((await list('')).body.total).toBeGreaterThan(1);
    expect((await list('', rig.resellerToken)).body.total).toBe(0);
    expect((await list(`hosting_account_id=${accountId}`, rig.resellerToken)).status).toBe(404);
    expect((await list('hosting_account_id=4242')).status).toBe(404);
    expect((await list('per_page=101')).body.errors).toEqual({
      per_page: ['The per page field must not be greater than 100.'],
    });
  });
});

describe('a new password', () => {
  it('is on the node when the answer comes, and is in no answer', async () => {
    const id = await active();
    const before = onNode(id)?.password;
    const { status, body } = await rig.ask('resetDatabasePassword', { id });
    expect([status, body.data.status, body.data.id]).toEqual([200, 'active', id]);
    const after = onNode(id);
    expect(after?.password_revision).toBe(2);
    expect(after?.password).not.toBe(before);
    expect(JSON.stringify(body)).not.toContain(after?.password);
  });

  it('is committed when the node cannot', async () => {
    const id = await active();
    rig.node.behaviour.fail = () => 'permanently';
    try {
      const { status, body } = await rig.ask('resetDatabasePassword', { id });
      expect([status, body.data.status]).toEqual([200, 'active']);
    } finally {
      rig.node.behaviour.fail = () => undefined;
    }
    const row = await rig.db.selectFrom('databases').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.password_revision).toBe(2);
  });
});

describe('allowed addresses', () => {
  const allow = (id: number, ip: unknown) => rig.ask('allowDatabaseIp', { id, body: { ip } });
  const revoke = (id: number, ip: string) => rig.ask('revokeDatabaseIp', { id, parts: { ip } });

  it('are on the node when the answer comes, in their canonical spelling', async () => {
    const id = await active();
    expect((await allow(id, ' 198.51.100.7 ')).body.data.allowed_ips).toEqual(['198.51.100.7']);
    const { status, body } = await allow(id, '2001:DB8:0:0::0007');
    expect([status, body.data.allowed_ips]).toEqual([200, ['198.51.100.7', '2001:db8::7']]);
    expect(onNode(id)?.allowed_ips).toEqual(['198.51.100.7', '2001:db8::7']);
    for (const ip of ['2001:db8::7', '2001:0db8::7', '::ffff:198.51.100.7']) {
      const again = await allow(id, ip);
      expect([again.status, again.body.errors], ip).toEqual([
        422,
        { ip: ['The ip has already been taken.'] },
      ]);
    }
    const revoked = await revoke(id, '2001:DB8::0007');
    expect([revoked.status, revoked.body.data.allowed_ips]).toEqual([200, ['198.51.100.7']]);
    expect(onNode(id)?.allowed_ips).toEqual(['198.51.100.7']);
    expect((await revoke(id, '198.51.100.7')).body.data.allowed_ips).toBeNull();
  });

  it('that are not there, or no addresses, are not found', async () => {
    const id = await active();
    for (const ip of ['198.51.100.7', 'localhost', '%25', '198.51.100.0%2F24', '1'])
      expect(await revoke(id, ip), ip).toMatchObject({ status: 404, body: { message: 'Not found.' } });
    expect((await revoke(4_242, '198.51.100.7')).status).toBe(404);
  });

  it.each<[value: unknown, sentence: string]>([
    [undefined, 'The ip field is required.'],
    ['', 'The ip field is required.'],
    ['%', 'The ip field must be a valid IP address.'],
    ['198.51.100.0/24', 'The ip field must be a valid IP address.'],
    ['198.51.100.07', 'The ip field must be a valid IP address.'],
    ['localhost', 'The ip field must be a valid IP address.'],
    ['fe80::1%eth0', 'The ip field must be a valid IP address.'],
    [1, 'The ip field must be a valid IP address.'],
  ])('refuses %j', async (ip, sentence) => {
    const { id } = (await add()).body.data;
    const { status, body } = await allow(id, ip);
    expect([status, body]).toEqual([422, { message: sentence, errors: { ip: [sentence] } }]);
    expect((await allow(4_242, ip)).status).toBe(404);
  });

  it('are at most 50', async () => {
    const { id } = (await add()).body.data;
    const row = (ip: string) => ({ account_id: accountId, database_id: id, ip, created_at: new Date() });
    await rig.db
      .insertInto('database_allowed_ips')
      .values(Array.from({ length: 50 }, (_, n) => row(`203.0.113.${n}`)))
      .execute();
    const { status, body } = await allow(id, '198.51.100.7');
    expect([status, body]).toEqual([422, { error: 'Allowed IP limit reached (50).' }]);
  });
});

describe('removing a database', () => {
  it('answers the same until it is gone from the node, and then it is not there', async () => {
    const id = await active();
    const tell = rig.node.behaviour.tell;
    rig.node.behaviour.tell = () => undefined;
    for (const _ of [1, 2]) {
      const { status, body } = await rig.ask('removeDatabase', { id });
      expect([status, body]).toEqual([200, { message: 'Database removal queued' }]);
    }
    expect((await show(id)).status).toBe('removing');
    const { status, body } = await rig.ask('resetDatabasePassword', { id });
    expect([status, body]).toEqual([422, { error: 'This database is being removed.' }]);
    rig.node.behaviour.tell = tell;
    await rig.node.sync();
    await waitUntil('the removal', async () => (await rig.ask('getDatabase', { id })).status === 404);
    expect((await rig.ask('removeDatabase', { id })).status).toBe(404);
  });

  it('is refused for one that belongs to an app', async () => {
    const id = await active();
    await rig.db.updateTable('databases').set({ app_id: 7 }).where('id', '=', id).execute();
    const { status, body } = await rig.ask('removeDatabase', { id });
    expect([status, body]).toEqual([
      422,
      { error: 'This database belongs to an app, and is removed with it.' },
    ]);
  });

  it('of another is not there', async () => {
    const id = await active();
    const token = rig.resellerToken;
    for (const name of ['getDatabase', 'removeDatabase', 'resetDatabasePassword'] as const)
      expect((await rig.ask(name, { id, token })).status, name).toBe(404);
    const body = { ip: '192.0.2.1' };
    expect((await rig.ask('allowDatabaseIp', { id, token, body })).status).toBe(404);
    expect((await rig.ask('revokeDatabaseIp', { id, token, parts: body })).status).toBe(404);
    expect((await show(id)).status).toBe('active');
  });
});

describe('the account’s state', () => {
  it('is what its databases follow', async () => {
    const id = await active();
    await rig.ask('suspendAccount', { id: accountId });
    expect((await show(id)).status).toBe('suspended');
    expect((await rig.ask('resetDatabasePassword', { id })).body.data.status).toBe('suspended');
    await rig.ask('unsuspendAccount', { id: accountId });
    expect((await show(id)).status).toBe('active');
  });

  it('takes no write while the account is being terminated', async () => {
    const id = await active();
    const tell = rig.node.behaviour.tell;
    rig.node.behaviour.tell = () => undefined;
    try {
      await rig.ask('terminateAccount', { id: accountId });
      for (const work of [
        () => add(),
        () => rig.ask('removeDatabase', { id }),
        () => rig.ask('resetDatabasePassword', { id }),
        () => rig.ask('allowDatabaseIp', { id, body: { ip: '192.0.2.1' } }),
        () => rig.ask('revokeDatabaseIp', { id, parts: { ip: '192.0.2.1' } }),
      ]) {
        const { status, body } = await work();
        expect([status, body]).toEqual([422, { error: 'This account is being terminated.' }]);
      }
    } finally {
      rig.node.behaviour.tell = tell;
    }
  });
});
