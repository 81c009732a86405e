import { makeApiToken } from '@innkeeper/domain';
import {
  authenticateToken,
  createAdmin,
  createReseller,
  createToken,
  listLiveTokens,
  listTokens,
  revokeToken,
  touchToken,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { auditOfTarget } from './fixtures.ts';
import { contextOf, counting, insertAccountRecord, insertNodeRecord, ownDatabase } from './records.ts';
import { expectRefusal, invalid, refusalOf } from './refusals.ts';

const database = ownDatabase();
let adminId: number;
let resellerId: number;

beforeAll(async () => {
  const password = 'correct horse';
  adminId = (await createAdmin(ctx(), { username: 'root', email: 'root@example.com', password })).id;
  resellerId = (await createReseller(ctx(), { username: 'shop', email: 'shop@example.com', password })).id;
  await createReseller(ctx(), { username: 'rival', email: 'rival@example.com', password });
});

const ctx = () => contextOf(database.db);
const asReseller = () => contextOf(database.db, { role: 'reseller', userId: resellerId });
const make = (input: Partial<Parameters<typeof createToken>[1]> = {}) =>
  createToken(ctx(), { user: 'root', name: 'billing', preset: 'provisioning', ...input });

test('a token authenticates its owner with its abilities and addresses, with one statement', async () => {
  const { token, plain_token } = await make({
    user: ' Shop ',
    preset: 'custom',
    abilities: ['domains:read', 'accounts:write', 'domains:read'],
    allowed_ips: '10.1.2.3/8;2001:DB8::0:1',
    purpose: 'whmcs',
  });
  expect(plain_token).toMatch(/^ik_[0-9A-Za-z]{38}$/);
  const counted = counting(database.db);
  expect(await authenticateToken(counted.db, plain_token)).toEqual({
    user: { id: resellerId, username: 'shop', role: 'reseller' },
    token: {
      id: token.id,
      name: 'billing',
      purpose: 'whmcs',
      preset: 'custom',
      abilities: ['accounts:write', 'domains:read'],
    },
    allowedIps: ['10.0.0.0/8', '2001:db8::1'],
  });
  expect(counted.statements()).toBe(1);
});

test.each([
  ['read_only', 6],
  ['provisioning', 10],
  ['full_access', 12],
])('the preset %s has its abilities', async (preset, count) => {
  const { token } = await make({ preset });
  expect(token.preset).toBe(preset);
  expect(token.abilities).toHaveLength(count);
});

test('a token may have all abilities or none', async () => {
  expect((await make({ preset: 'custom', abilities: ['*'] })).token.abilities).toEqual(['*']);
  const { token, plain_token } = await createToken(ctx(), { user: 'root', name: 'idle', abilities: [] });
  expect(token).toMatchObject({ preset: 'custom', abilities: [], allowed_ips: [], purpose: 'api' });
  expect((await authenticateToken(database.db, plain_token))?.token.abilities).toEqual([]);
});

test('a malformed token costs no statement, a well-formed unknown token costs one', async () => {
  const { plain_token } = await make();
  const counted = counting(database.db);
  const damaged = plain_token.slice(0, -1) + (plain_token.endsWith('0') ? '1' : '0');
  for (const garbage of [
    '',
    'ik_',
    damaged,
    `${plain_token} `,
    `${plain_token}\0`,
    "' or 1=1 --",
    'x'.repeat(100_000),
  ])
    expect(await authenticateToken(counted.db, garbage)).toBeNull();
  expect(counted.statements()).toBe(0);
  expect(
    await authenticateToken(
      counted.db,
      makeApiToken(() => 5),
    ),
  ).toBeNull();
  expect(counted.statements()).toBe(1);
});

test('neither the plain token nor a part of it is stored or logged', async () => {
  const { plain_token } = await make();
  const { rows: tokens } = await sql`select *, cast(token_hash as char) as hash from api_tokens`.execute(
    database.db,
  );
  const { rows: log } = await sql`select * from audit_log`.execute(database.db);
  expect(tokens.length).toBeGreaterThan(0);
  expect(JSON.stringify([tokens, log])).not.toContain(plain_token.slice(3, 20));
});

test('a revoked token is refused; revoking again changes nothing', async () => {
  const { token, plain_token } = await make();
  const revoked = await revokeToken(ctx(), { token_id: token.id });
  expect(revoked.revoked_at).toBeInstanceOf(Date);
  expect(await authenticateToken(database.db, plain_token)).toBeNull();
  expect(await revokeToken(ctx(), { token_id: token.id })).toEqual(revoked);
  expect(await auditOfTarget(database.db, `token:${token.id}`)).toEqual(['token.create', 'token.revoke']);
});

test('a token is refused if its owner is no longer an admin or reseller', async () => {
  const { plain_token } = await make({ user: 'rival' });
  await database.db.updateTable('users').set({ role: 'user' }).where('username', '=', 'rival').execute();
  expect(await authenticateToken(database.db, plain_token)).toBeNull();
  await database.db.updateTable('users').set({ role: 'reseller' }).where('username', '=', 'rival').execute();
  expect(await authenticateToken(database.db, plain_token)).not.toBeNull();
});

test.each([
  [{ user: 'nobody' }, 'user'],
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'two\nlines' }, 'name'],
  [{ preset: 'everything' }, 'preset'],
  [{ preset: 'custom' }, 'abilities'],
  [{ preset: 'read_only', abilities: ['accounts:read'] }, 'abilities'],
  [{ preset: 'custom', abilities: ['accounts:read', 'accounts:destroy'] }, 'abilities'],
  [{ allowed_ips: '10.0.0.1, example.com' }, 'allowed_ips'],
  [{ allowed_ips: Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`).join(' ') }, 'allowed_ips'],
])('%j is refused at its field', async (input, field) => {
  await expectRefusal(make(input), invalid({ [field]: expect.any(String) }));
});

test('the refusal of an unknown ability lists the known ones', async () => {
  await expectRefusal(make({ preset: 'custom', abilities: ['accounts:destroy'] }), {
    message: expect.stringMatching(/"accounts:destroy" is no ability.*accounts:read/),
  });
});

test('a reseller makes, sees and revokes its own tokens only', async () => {
  const { token } = await createToken(asReseller(), { user: 'shop', name: 'own', preset: 'read_only' });
  for (const user of ['root', 'rival'])
    await expectRefusal(
      createToken(asReseller(), { user, name: 'x', preset: 'read_only' }),
      invalid({ user: expect.any(String) }),
    );
  const foreign = (await make()).token;
  expect(new Set((await listTokens(asReseller())).map(({ user }) => user.username))).toEqual(
    new Set(['shop']),
  );
  expect((await listTokens(ctx())).map(({ id }) => id)).toEqual(
    expect.arrayContaining([token.id, foreign.id]),
  );
  await expectRefusal(revokeToken(asReseller(), { token_id: foreign.id }), 'not_found');
  await expectRefusal(revokeToken(ctx(), { token_id: 999_999 }), 'not_found');
  expect(await revokeToken(asReseller(), { token_id: token.id })).toMatchObject({ id: token.id });
});

test('valid tokens are listed in pages, newest first: all, or a reseller’s own', async () => {
  const { token } = await createToken(asReseller(), { user: 'shop', name: 'listed', preset: 'read_only' });
  const page = await listLiveTokens(asReseller(), { page: 1, per_page: 1 });
  expect(page).toMatchObject({ items: [{ id: token.id, name: 'listed' }], newest_id: token.id });
  await revokeToken(asReseller(), { token_id: token.id });
  const rest = await listLiveTokens(asReseller(), { page: 1, per_page: 100 });
  expect(rest).toMatchObject({ total: page.total - 1, newest_id: token.id });
  expect(rest.items.map(({ id }) => id)).not.toContain(token.id);
  expect(new Set(rest.items.map(({ user }) => user.username))).toEqual(new Set(['shop']));
  const all = await listLiveTokens(ctx(), { page: 1, per_page: 100 });
  expect(all.total).toBeGreaterThan(rest.total);
  const ids = all.items.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});

test('of 16 concurrent submits of one form exactly one makes a token', async () => {
  const actor = asReseller();
  const { newest_id, total } = await listLiveTokens(actor, { page: 1, per_page: 1 });
  const input = { user: 'shop', name: 'twice', preset: 'read_only', newest_id };
  const results = await Promise.all(Array.from({ length: 16 }, () => refusalOf(createToken(actor, input))));
  expect(results.filter((result) => !(result instanceof Error))).toHaveLength(1);
  expect(results.filter((result) => result instanceof Error)[0]).toMatchObject({ code: 'conflict' });
  expect((await listLiveTokens(actor, { page: 1, per_page: 1 })).total).toBe(total + 1);
  await make();
  const { newest_id: seen } = await listLiveTokens(actor, { page: 1, per_page: 1 });
  expect(
    await createToken(actor, { ...input, newest_id: seen }),
    'others’ tokens do not count',
  ).toBeDefined();
});

test('an end user has no tokens', async () => {
  await insertAccountRecord(database.db, {
    username: 'tenant',
    node_id: await insertNodeRecord(database.db),
  });
  await expectRefusal(make({ user: 'tenant' }), invalid({ user: expect.any(String) }));
});

test('a use is stored at most once a minute, and a failure is given to the caller', async () => {
  const { token } = await make();
  const used = async () =>
    (await listTokens(ctx())).find(({ id }) => id === token.id) ?? { last_used_at: null, last_used_ip: null };
  const touch = (address: string, onError = vi.fn()) => {
    touchToken(database.db, { token_id: token.id, address }, onError);
    return onError;
  };
  touch('192.0.2.1');
  await vi.waitFor(async () => expect((await used()).last_used_ip).toBe('192.0.2.1'), 5_000);
  const first = (await used()).last_used_at;
  const counted = counting(database.db);
  touchToken(counted.db, { token_id: token.id, address: '192.0.2.2' }, vi.fn());
  await vi.waitFor(() => expect(counted.statements()).toBe(1), 5_000);
  expect(await used()).toMatchObject({ last_used_at: first, last_used_ip: '192.0.2.1' });
  await sql`update api_tokens set last_used_at = now(6) - interval 61 second where id = ${token.id}`.execute(
    database.db,
  );
  touch('192.0.2.3');
  await vi.waitFor(async () => expect((await used()).last_used_ip).toBe('192.0.2.3'), 5_000);
  await sql`update api_tokens set last_used_at = null where id = ${token.id}`.execute(database.db);
  const onError = touch('longer than any address can be, whatever kind it is');
  await vi.waitFor(() => expect(onError).toHaveBeenCalledWith(expect.any(Error)), 5_000);
});

test('the owner of an admin’s token is the admin', async () => {
  const { plain_token } = await make();
  expect((await authenticateToken(database.db, plain_token))?.user).toEqual({
    id: adminId,
    username: 'root',
    role: 'admin',
  });
});
