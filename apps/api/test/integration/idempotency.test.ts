import { createToken } from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { beforeAll, expect, it } from 'vitest';
import { type Instance, useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let other: Instance;
let serial = 0;
beforeAll(async () => {
  other = await rig.addInstance();
});

const headersOf = (key: string) => ({ 'Idempotency-Key': key });
const newKey = () => `key-${++serial}`;
const create = (instance: Pick<Instance, 'ask'>, key: string, body: unknown) =>
  instance.ask('createAccount', { body, headers: headersOf(key) });
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('Idempotent-Replayed') === 'true';
const countOf = async (username: string) =>
  (await rig.ask('listAccounts', { query: `username=${username}` })).body.total;

it('another instance replays the answer of the same request, and repeats nothing', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  const first = await create(rig, key, body);
  expect([first.status, isReplayed(first)]).toEqual([201, false]);
  for (const instance of [rig, other]) {
    const again = await create(instance, key, body);
    expect([again.status, again.body, isReplayed(again)]).toEqual([201, first.body, true]);
  }
  expect(await countOf(body.username)).toBe(1);
  const audits = rig.db.selectFrom('audit_log').select('id').where('account_id', '=', first.body.data.id);
  expect(await audits.where('action', '=', 'account.create').execute()).toHaveLength(1);
});

it('order, spelling and encoding of the fields do not matter', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  await create(rig, key, body);
  const reversed = Object.fromEntries(Object.entries({ ...body, name: ` ${body.name} ` }).reverse());
  expect(isReplayed(await create(rig, key, reversed))).toBe(true);
  const form = new URLSearchParams({ ...body, package_id: String(body.package_id) }).toString();
  const headers = { ...headersOf(key), 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(isReplayed(await rig.ask('createAccount', { body: form, headers }))).toBe(true);
});

it('a key refuses another body, path or method', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  const { id } = (await create(rig, key, body)).body.data;
  const refused = [422, { message: 'This Idempotency-Key was used with another request.' }];
  const headers = headersOf(key);
  for (const reply of [
    await create(other, key, { ...body, name: 'Twice' }),
    await rig.ask('suspendAccount', { id, headers }),
    await rig.ask('terminateAccount', { id, headers }),
  ])
    expect([reply.status, reply.body]).toEqual(refused);
  expect((await rig.ask('getAccount', { id })).body.data.status).toBe('active');
});

it('a key is in progress until its request has an answer', async () => {
  rig.node.behaviour.delayMs = () => 1_500;
  const [key, body] = [newKey(), rig.accountFields()];
  const creating = create(rig, key, body);
  await waitUntil('the account', async () => (await countOf(body.username)) === 1);
  const early = await create(other, key, body);
  expect([early.status, early.body]).toEqual([
    409,
    { message: 'A request with this Idempotency-Key is in progress.' },
  ]);
  const first = await creating;
  expect((await create(other, key, body)).body).toEqual(first.body);
});

it('32 requests at once with one key make one account', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, i) => create(i % 2 === 0 ? rig : other, key, body)),
  );
  expect(replies.filter((reply) => reply.status === 201 && !isReplayed(reply))).toHaveLength(1);
  for (const { status } of replies) expect(status).toBeOneOf([201, 409]);
  expect(await countOf(body.username)).toBe(1);
});

it('a refusal by fields, rules or the node is not stored with the key', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  expect((await create(rig, key, { ...body, email: 'x' })).status).toBe(422);
  expect((await create(rig, key, { ...body, package_id: 999_999 })).status).toBe(422);
  rig.node.behaviour.fail = (spec) => (spec.desired_state === 'active' ? 'permanently' : undefined);
  expect((await create(rig, key, body)).status).toBe(500);
  rig.node.behaviour.fail = () => undefined;
  await waitUntil('the undoing', async () => (await countOf(body.username)) === 0);
  const created = await create(rig, key, body);
  expect([created.status, isReplayed(created)]).toEqual([201, false]);
});

it('the answers of changes and removals are stored, also when their record is gone', async () => {
  const { id } = (await rig.ask('createAccount', { body: rig.accountFields() })).body.data;
  for (const [name, body] of [
    ['suspendAccount', undefined],
    ['unsuspendAccount', undefined],
    ['setAccountPassword', { password: 'another horse' }],
    ['changeAccountPackage', { package_id: rig.packages.large }],
    ['createDomain', { hosting_account_id: id, domain_name: 'once.example.com' }],
    ['terminateAccount', undefined],
  ] as const) {
    const headers = headersOf(newKey());
    const first = await rig.ask(name, { id, body, headers });
    expect([first.status, isReplayed(first)], name).toEqual([name === 'createDomain' ? 201 : 200, false]);
    if (name === 'terminateAccount')
      await waitUntil('its end', async () => (await rig.ask('getAccount', { id })).status === 404);
    const again = await other.ask(name, { id, body, headers });
    expect([again.status, again.body, isReplayed(again)], name).toEqual([first.status, first.body, true]);
  }
});

it('a key belongs to a token, and authentication is checked before it', async () => {
  const [key, body] = [newKey(), rig.accountFields()];
  const first = (await create(rig, key, body)).body.data.id;
  const tokenWith = async (abilities: string[]) =>
    (await createToken(rig.operator, { user: 'root-admin', name: 'new', abilities })).plain_token;
  const ask = async (abilities: string[], named: string) =>
    await rig.ask('createAccount', {
      body: { ...body, username: named },
      token: await tokenWith(abilities),
      headers: headersOf(key),
    });
  const ofAnotherToken = await ask(['*'], `${body.username}b`);
  expect(ofAnotherToken.status).toBe(201);
  expect(ofAnotherToken.body.data.id).not.toBe(first);
  expect((await ask(['accounts:read'], body.username)).status).toBe(403);
});

it('a key has 1 to 255 characters; the API checks that after the record', async () => {
  const refusalOf = async (key: string) => (await create(rig, key, rig.accountFields())).body.errors;
  expect(await refusalOf('x'.repeat(256))).toEqual({
    idempotency_key: ['The idempotency key field must not be greater than 255 characters.'],
  });
  expect(await refusalOf('')).toEqual({
    idempotency_key: ['The idempotency key field must be at least 1 character.'],
  });
  expect((await create(rig, 'x'.repeat(255), rig.accountFields())).status).toBe(201);
  const body = { hosting_account_id: 999_999, domain_name: 'x.example.com' };
  expect((await rig.ask('createDomain', { body, headers: headersOf('') })).status).toBe(404);
});

it('GET requests ignore a key', async () => {
  expect((await rig.ask('listAccounts', { headers: headersOf('') })).status).toBe(200);
});

it('a retry answers a request that was interrupted after its commit', async () => {
  // Other instances consider an instance dead that has not renewed its lease, even if it still runs.
  rig.node.behaviour.delayMs = () => 3_000;
  const [key, body] = [newKey(), rig.accountFields()];
  const cutOff = create(other, key, body);
  await waitUntil('the commit', async () => (await countOf(body.username)) === 1);
  const isSilent = { leased_until: new Date(0) };
  await rig.db.updateTable('idempotency_keys').set(isSilent).where('status', 'is', null).execute();
  const repeated = await create(rig, key, body);
  expect([repeated.status, repeated.body.data.username, isReplayed(repeated)]).toEqual([
    201,
    body.username,
    false,
  ]);
  expect((await cutOff).body.data.id).toBe(repeated.body.data.id);
  expect(await countOf(body.username)).toBe(1);
});
