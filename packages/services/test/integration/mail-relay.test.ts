import {
  addNode,
  getMailRelay,
  pullAccounts,
  removeMailRelay,
  removeNode,
  setMailRelay,
  testMailRelay,
} from '@innkeeper/services';
import { beforeEach, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addOnlineNode } from './fixtures.ts';
import { contextOf, fresh, rowsWhere } from './records.ts';
import { expectRefusal } from './refusals.ts';

/** The mail relay of hosting accounts, and how it reaches servers. */
const rig = useDatabaseRig();
const { admin } = rig;

const PASSWORD = 'a relay password that nobody may read';
const relay = {
  host: 'relay.example.com',
  port: 587,
  encryption: 'starttls' as const,
  username: 'hoster',
  relay_password: PASSWORD,
};

beforeEach(async () => {
  await rig.db.deleteFrom('mail_relays').execute();
});

async function nodeOf(id: number) {
  const [node] = await rowsWhere(rig.db, 'nodes', { id });
  return node!;
}

/** What a server gets that has the given generation of settings. */
async function pulled(node_id: number, settings_generation: number) {
  const { session_id } = await nodeOf(node_id);
  const page = { node_id, session_id: session_id!, after_account_id: 0, limit: 1, settings_generation };
  return (await pullAccounts({ db: rig.db, sealer: admin().sealer }, page)).settings;
}

test('the relay of the installation reaches every server with its next generation, with the password in clear', async () => {
  const first = await addOnlineNode(rig.db);
  const second = await addOnlineNode(rig.db);
  const before = (await nodeOf(first)).settings_generation;
  expect(await pulled(first, before)).toBeNull();
  expect(await pulled(first, 0)).toMatchObject({ generation: before, mail_relay: null });
  const ctx = admin();
  await setMailRelay(ctx, relay);
  for (const id of [first, second])
    expect(ctx.wakes).toContainEqual({
      nodeId: id,
      accountId: 0,
      generation: (await nodeOf(id)).settings_generation,
    });
  expect(await pulled(first, before)).toEqual({
    generation: before + 1,
    mail_relay: {
      host: 'relay.example.com',
      port: 587,
      encryption: 'starttls',
      sign_in: { username: 'hoster', password: PASSWORD },
      sender_domain: null,
    },
  });
  expect(await pulled(first, before + 1)).toBeNull();
  // After a restore of an older database a server has a newer generation than the control plane.
  expect(await pulled(first, before + 9)).toMatchObject({ generation: before + 1 });
});

test('a server can have a relay of its own, and gets that of the installation again without it', async () => {
  const id = await addOnlineNode(rig.db);
  const other = await addOnlineNode(rig.db);
  await setMailRelay(admin(), relay);
  const generation = (await nodeOf(other)).settings_generation;
  const ctx = admin();
  await setMailRelay(ctx, { host: 'own.example.com', port: 25, encryption: 'none', node: id });
  expect(ctx.wakes.map(({ nodeId }) => nodeId)).toEqual([id]);
  expect((await pulled(id, 0))?.mail_relay).toMatchObject({ host: 'own.example.com', sign_in: null });
  expect((await pulled(other, 0))?.mail_relay).toMatchObject({ host: 'relay.example.com' });
  expect((await nodeOf(other)).settings_generation).toBe(generation);
  expect(await getMailRelay(admin(), { node: id })).toMatchObject({
    relay: { host: 'own.example.com' },
    inherited: { host: 'relay.example.com' },
  });
  expect((await getMailRelay(admin(), {})).own_relays).toEqual([id]);
  await removeMailRelay(admin(), { node: id });
  expect((await pulled(id, 0))?.mail_relay).toMatchObject({ host: 'relay.example.com' });
  await removeMailRelay(admin(), {});
  expect((await pulled(id, 0))?.mail_relay).toBeNull();
});

test('the password is in no row, audit entry or view, and is kept only for the same server and username', async () => {
  await setMailRelay(admin(), relay);
  const { relay_password: _, ...without } = relay;
  await setMailRelay(admin(), { ...without, sender_domain: 'mail.example.com' });
  const id = await addOnlineNode(rig.db);
  expect((await pulled(id, 0))?.mail_relay).toMatchObject({
    sign_in: { password: PASSWORD },
    sender_domain: 'mail.example.com',
  });
  for (const change of [
    { host: 'evil.example.com' },
    { port: 2525 },
    { encryption: 'tls' as const },
    { username: 'x' },
  ])
    await expect(setMailRelay(admin(), { ...without, ...change })).rejects.toMatchObject({
      code: 'invalid',
      fields: { relay_password: [expect.stringContaining('Enter the password again')] },
    });
  const rows = [
    await rowsWhere(rig.db, 'mail_relays'),
    await rowsWhere(rig.db, 'audit_log'),
    await getMailRelay(admin(), {}),
  ];
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
});

test.each([
  ['a password without encryption', { encryption: 'none' as const }, 'encryption'],
  ['an address with encryption', { host: '192.0.2.1' }, 'host'],
  ['a username with a colon', { username: 'a:b' }, 'username'],
  ['a password with a line end', { relay_password: 'a\nb' }, 'relay_password'],
  ['a password with a blank at its end', { relay_password: 'a ' }, 'relay_password'],
  ['a host with a space', { host: 'a b' }, 'host'],
  ['a sender domain that is none', { sender_domain: 'localhost' }, 'sender_domain'],
  ['a port above 65535', { port: 65_536 }, 'port'],
])('%s is refused at its field, and nothing changes', async (_, wrong, field) => {
  const ctx = admin();
  await expect(setMailRelay(ctx, { ...relay, ...wrong })).rejects.toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.any(String)] },
  });
  expect(ctx.wakes).toEqual([]);
  expect(await rowsWhere(rig.db, 'mail_relays')).toEqual([]);
});

test('only admins see and change it; a removed server leaves no row', async () => {
  const support = { ...admin(), ...contextOf(rig.db, { role: 'support', userId: 1 }) };
  await expectRefusal(setMailRelay(support, relay), 'forbidden');
  await expectRefusal(removeMailRelay(support, {}), 'forbidden');
  await expectRefusal(getMailRelay(support, {}), 'forbidden');
  await expectRefusal(testMailRelay(support, { node: 1, to: 'a@b.example' }), 'forbidden');
  const { node } = await addNode(admin(), { name: fresh('relay-node'), address: '192.0.2.77' });
  await setMailRelay(admin(), { ...relay, node: node.id });
  await removeNode(admin(), { node: node.id });
  expect(await rowsWhere(rig.db, 'mail_relays')).toEqual([]);
});

test('a test mail is sent by the server, and its outcome is the server’s', async () => {
  const id = await addOnlineNode(rig.db);
  const answer = { to: 'a@b.example', sent_at: 1, state: 'waiting' as const, answer: '' };
  const asks: unknown[] = [];
  const answering = (state: object) => ({
    ...admin(),
    askNode: async (...asked: unknown[]) => {
      asks.push(asked);
      return { ...answer, ...state } as never;
    },
  });
  expect(await testMailRelay(answering({}), { node: id, to: 'a@b.example' })).toEqual(answer);
  expect(asks).toEqual([[id, 'mail-test', { to: 'a@b.example' }]]);
  await expectRefusal(
    testMailRelay(answering({ state: 'no-relay' }), { node: id, to: 'a@b.example' }),
    'conflict',
  );
  await expectRefusal(testMailRelay(admin(), { node: id, to: 'a@b.example' }), 'unavailable');
  await expect(testMailRelay(answering({}), { node: id, to: 'a b' })).rejects.toMatchObject({
    code: 'invalid',
  });
});
