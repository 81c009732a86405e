import { waitUntil } from '@innkeeper/testkit';
import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let account: { id: number; username: string };
beforeEach(async () => {
  account = await rig.createAccount();
});

const add = (name?: string) => rig.ask('createDatabase', { body: { hosting_account_id: account.id, name } });
const show = async (id: number) => (await rig.ask('getDatabase', { id })).body.data;
const onNode = (id: number) =>
  rig.node.accounts.get(account.id)?.databases.find(({ database_id }) => database_id === id);
const active = async () => {
  const { id } = (await add()).body.data;
  await waitUntil('the database', async () => (await show(id)).status === 'active');
  return id;
};

it('the API answers at once with a pending database, which the node then has', async () => {
  const { status, body } = await add(' My Blog ');
  const db_name = `${account.username}_my_blog`;
  expect([status, body.data]).toMatchObject([
    201,
    {
      hosting_account_id: account.id,
      hosting_account: { id: account.id, username: account.username },
      name: 'My Blog',
      db_name,
      db_user: db_name,
      db_host: 'localhost',
      status: 'pending',
      status_reason: null,
      allowed_ips: null,
    },
  ]);
  await waitUntil('the database', async () => (await show(body.data.id)).status === 'active');
  expect(onNode(body.data.id)).toMatchObject({ db_name, desired_state: 'active' });
  const listed = await rig.ask('listDatabases', { query: `hosting_account_id=${account.id}` });
  expect(listed.body.data).toMatchObject([{ id: body.data.id, db_name, status: 'active' }]);
  expect(listed.body.data[0]).not.toHaveProperty('hosting_account');
});

it('the node has a new password when the API answers, and no answer contains it', async () => {
  const id = await active();
  const before = onNode(id)?.password;
  const { status, body } = await rig.ask('resetDatabasePassword', { id });
  expect([status, body.data.status, body.data.id]).toEqual([200, 'active', id]);
  const after = onNode(id);
  expect(after?.password_revision).toBe(2);
  expect(after?.password).not.toBe(before);
  expect(JSON.stringify(body)).not.toContain(after?.password);
});

it('a new password is committed although the node cannot apply it', async () => {
  const id = await active();
  rig.node.behaviour.fail = () => 'permanently';
  const { status, body } = await rig.ask('resetDatabasePassword', { id });
  expect([status, body.data.status]).toEqual([200, 'active']);
  const row = await rig.db.selectFrom('databases').selectAll().where('id', '=', id).executeTakeFirst();
  expect(row?.password_revision).toBe(2);
});

it('the node has the allowed addresses in their canonical form when the API answers', async () => {
  const id = await active();
  const allow = (ip: string) => rig.ask('allowDatabaseIp', { id, body: { ip } });
  const revoke = (ip: string) => rig.ask('revokeDatabaseIp', { id, parts: { ip } });
  expect((await allow(' 198.51.100.7 ')).body.data.allowed_ips).toEqual(['198.51.100.7']);
  const both = ['198.51.100.7', '2001:db8::7'];
  expect((await allow('2001:DB8:0:0::0007')).body.data.allowed_ips).toEqual(both);
  expect(onNode(id)?.allowed_ips).toEqual(both);
  for (const ip of ['2001:db8::7', '2001:0db8::7', '::ffff:198.51.100.7'])
    expect((await allow(ip)).body.errors, ip).toEqual({ ip: ['The ip has already been taken.'] });
  for (const ip of ['198.51.100.8', 'localhost', '%25', '198.51.100.0%2F24', '1'])
    expect(await revoke(ip), ip).toMatchObject({ status: 404, body: { message: 'Not found.' } });
  expect((await revoke('2001:DB8::0007')).body.data.allowed_ips).toEqual(['198.51.100.7']);
  expect(onNode(id)?.allowed_ips).toEqual(['198.51.100.7']);
  expect((await revoke('198.51.100.7')).body.data.allowed_ips).toBeNull();
});

it('databases follow the state of their account', async () => {
  const id = await active();
  await rig.ask('suspendAccount', { id: account.id });
  expect((await show(id)).status).toBe('suspended');
  expect((await rig.ask('resetDatabasePassword', { id })).body.data.status).toBe('suspended');
  await rig.ask('unsuspendAccount', { id: account.id });
  expect((await show(id)).status).toBe('active');
});

it('the API answers a removal at once, again with the same, until the node has removed the database', async () => {
  const id = await active();
  rig.node.behaviour.tell = () => undefined;
  for (const _ of [1, 2]) {
    const { status, body } = await rig.ask('removeDatabase', { id });
    expect([status, body]).toEqual([200, { message: 'Database removal queued' }]);
  }
  expect((await show(id)).status).toBe('removing');
  rig.node.behaviour.tell = (honest) => honest;
  await rig.node.sync();
  await waitUntil('the removal', async () => (await rig.ask('getDatabase', { id })).status === 404);
  expect((await rig.ask('removeDatabase', { id })).status).toBe(404);
});
