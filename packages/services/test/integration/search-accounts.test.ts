import {
  type AccountSearch,
  exportAccounts,
  findManager,
  findUserId,
  getPackageDetails,
  listAccounts,
  listResellers,
  type OperatorContext,
  searchAccounts,
  setPool,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller } from './fixtures.ts';
import { contextOf, counting, insertAccountRecord, insertDomainRecord, ownDatabase } from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let node: number;
let otherNode: number;
let small: number;
let large: number;
let reseller: Awaited<ReturnType<typeof addReseller>>;

beforeAll(async () => {
  const { db } = database;
  node = await addOnlineNode(db);
  otherNode = await addOnlineNode(db);
  small = await addPackage(db);
  large = await addPackage(db);
  reseller = await addReseller(db);
  const reseller_user_id = reseller.actor.userId;
  const records = [
    { username: 'anna', node_id: node, package_id: small, email: 'Post@Anna.example' },
    { username: 'anne', node_id: node, package_id: large, email: 'anne@mail.example', reseller_user_id },
    { username: 'an_a', node_id: otherNode, package_id: small, state: 'suspended', reseller_user_id },
    { username: 'bert', node_id: otherNode, package_id: large, email: 'anton@mail.example' },
  ] as const;
  for (const record of records) await insertAccountRecord(db, record);
  const bert = await idOf('bert');
  await insertDomainRecord(db, { account_id: bert, domain_name: 'annual-report.example' });
  await insertDomainRecord(db, { account_id: bert, domain_name: 'and-more.example' });
});

async function idOf(username: string): Promise<number> {
  const accounts = database.db.selectFrom('accounts').select('id').where('username', '=', username);
  return (await accounts.executeTakeFirstOrThrow()).id;
}

const namesOf = async (search: Partial<AccountSearch>, ctx: OperatorContext = contextOf(database.db)) => {
  const { items } = await searchAccounts(ctx, { page: 1, per_page: 25, ...search });
  return items.map(({ username }) => username);
};

test('a text finds accounts by the start of their username, email or domain first, each once, in any case', async () => {
  expect(await namesOf({ text: 'ann' })).toEqual(['anna', 'anne', 'bert']);
  expect(await namesOf({ text: ' POST@anna ' })).toEqual(['anna']);
  expect(await namesOf({ text: 'anton@' })).toEqual(['bert']);
  expect(await namesOf({ text: 'annual-report.' })).toEqual(['bert']);
});

test('then it finds accounts by a part of their email address, in any case and within the scope', async () => {
  expect(await namesOf({ text: '@Mail.Example' })).toEqual(['anne', 'bert']);
  expect(await namesOf({ text: 'mail.example' })).toEqual(['anne', 'bert']);
  expect(await namesOf({ text: '@mail.example', package_id: small })).toEqual([]);
  expect(await namesOf({ text: '@mail.example' }, reseller)).toEqual(['anne']);
  expect(await namesOf({ text: '%@mail' })).toEqual([]);
});

test('then it finds accounts by a part of their username, name or domain', async () => {
  const { db } = database;
  await db
    .updateTable('accounts')
    .set({ name: 'Müller’s Flower Shop' })
    .where('username', '=', 'anne')
    .execute();
  expect(await namesOf({ text: 'report' })).toEqual(['bert']);
  expect(await namesOf({ text: 'nn' })).toEqual(['anna', 'anne', 'bert']);
  expect(await namesOf({ text: 'flower' })).toEqual(['anne']);
  expect(await namesOf({ text: 'MÜLLER’S' })).toEqual(['anne']);
  expect(await namesOf({ text: 'r' })).toEqual([]);
  expect(await namesOf({ text: 'er', package_id: large })).toEqual(['anne', 'bert']);
  expect(await namesOf({ text: 'er', package_id: small })).toEqual([]);
  expect(await namesOf({ text: 'report' }, reseller)).toEqual([]);
  expect(await namesOf({ text: 'flower' }, reseller)).toEqual(['anne']);
  await insertDomainRecord(db, { account_id: await idOf('anne'), domain_name: 'the-best.example' });
  expect(await namesOf({ text: 'best' }, reseller)).toEqual(['anne']);
  // The start counts more than the age of the account.
  expect(await namesOf({ text: 'be' })).toEqual(['bert', 'anne']);
});

test('no character in a text is a wildcard or an error', async () => {
  expect(await namesOf({ text: 'an_' })).toEqual(['an_a']);
  expect(await namesOf({ text: '%' })).toEqual([]);
  expect(await namesOf({ text: 'an\\' })).toEqual([]);
  expect(await namesOf({ text: 'ännä 🦊' })).toEqual([]);
});

test('filters select by state, package, server and reseller', async () => {
  expect(await namesOf({ state: 'suspended' })).toEqual(['an_a']);
  expect(await namesOf({ package_id: large })).toEqual(['anne', 'bert']);
  expect(await namesOf({ node_id: node })).toEqual(['anna', 'anne']);
  expect(await namesOf({ reseller_user_id: reseller.actor.userId })).toEqual(['anne', 'an_a']);
  expect(await namesOf({ reseller_user_id: null })).toEqual(['anna', 'bert']);
  expect(await namesOf({ reseller_user_id: null, package_id: large, text: 'an' })).toEqual(['bert']);
});

test('a reseller finds its own accounts only, and cannot filter by server or reseller', async () => {
  expect(await namesOf({ text: 'an' }, reseller)).toEqual(['anne', 'an_a']);
  expect(await namesOf({ package_id: large }, reseller)).toEqual(['anne']);
  expect(await namesOf({ node_id: node }, reseller)).toEqual([]);
  expect(await namesOf({ reseller_user_id: null }, reseller)).toEqual([]);
});

test('pages say whether there is more; a text finds at most 100', async () => {
  const first = await searchAccounts(contextOf(database.db), { page: 1, per_page: 1, state: 'active' });
  expect([first.items.length, first.has_more]).toEqual([1, true]);
  const last = await searchAccounts(contextOf(database.db), { page: 3, per_page: 1, state: 'active' });
  expect([last.items.map(({ username }) => username), last.has_more]).toEqual([['bert'], false]);
  for (let index = 100; index < 205; index += 1)
    await insertAccountRecord(database.db, { username: `many${index}`, node_id: node, package_id: small });
  const many = await searchAccounts(contextOf(database.db), { page: 1, per_page: 25, text: 'many' });
  expect([many.items.length, many.has_more]).toEqual([100, true]);
  const few = await searchAccounts(contextOf(database.db), {
    page: 1,
    per_page: 25,
    text: 'many',
    at_most: 8,
  });
  expect([few.items.length, few.has_more]).toEqual([8, true]);
  const some = await searchAccounts(contextOf(database.db), { page: 1, per_page: 25, text: 'many1' });
  expect([some.items.length, some.has_more]).toEqual([100, false]);
});

test('a list has one of three orders, over all of its pages', async () => {
  const listed = async (order: 'oldest' | 'newest' | 'username') => {
    const items = [];
    for (let page = 1; ; page += 1) {
      const part = await searchAccounts(contextOf(database.db), { order, page, per_page: 40 });
      items.push(...part.items);
      if (!part.has_more) return items;
    }
  };
  const oldest = await listed('oldest');
  expect(oldest.length).toBeGreaterThan(100);
  const ids = oldest.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect((await listed('newest')).map(({ id }) => id)).toEqual(ids.toReversed());
  const names = oldest.map(({ username }) => username).sort((a, b) => (a < b ? -1 : 1));
  expect((await listed('username')).map(({ username }) => username)).toEqual(names);
});

test('an export has each account of the scope and the filter once, in parts', async () => {
  const exported = async (...args: Parameters<typeof exportAccounts>) => {
    const parts: number[][] = [];
    for await (const part of exportAccounts(...args)) parts.push(part.map(({ id }) => id));
    return parts;
  };
  const admin = contextOf(database.db);
  const all = (await listAccounts(admin, { page: 1, per_page: 1_000 })).items.map(({ id }) => id);
  const parts = await exported(admin, {}, 7);
  expect(parts.flat()).toEqual(all);
  expect(parts.slice(0, -1).every(({ length }) => length === 7)).toBe(true);
  const own = (await searchAccounts(reseller, { page: 1, per_page: 1_000 })).items.map(({ id }) => id);
  expect(own.length).toBeLessThan(all.length);
  expect((await exported(reseller, {}, 1)).flat()).toEqual(own);
  expect(await exported(reseller, { node_id: 1 })).toEqual([[]]);
  const ofPackage = await exported(admin, { package_id: large }, 1);
  expect(ofPackage.flat().length).toBeGreaterThan(1);
  expect(ofPackage.flat()).toEqual([...new Set(ofPackage.flat())]);
});

test('every filter column has an index', async () => {
  const keysOf = async (table: string) => {
    const { rows } = await sql<{ name: string; column: string }>`
      select index_name as name, column_name as \`column\` from information_schema.statistics
      where table_schema = database() and table_name = ${table} and seq_in_index = 1`.execute(database.db);
    return rows.map(({ column }) => column);
  };
  expect(await keysOf('accounts')).toEqual(
    expect.arrayContaining(['username', 'state', 'package_id', 'node_id', 'reseller_user_id']),
  );
  expect(await keysOf('users')).toContain('email_lower');
  expect(await keysOf('domains')).toContain('domain_name');
});

test('admins list resellers with their number of accounts, with one statement', async () => {
  const { db, statements } = counting(database.db);
  await setPool(contextOf(database.db), { reseller: reseller.username, max_accounts: 7 });
  const [listed] = await listResellers(contextOf(db));
  expect(listed).toEqual({
    id: reseller.actor.userId,
    username: reseller.username,
    name: reseller.username,
    email: reseller.email,
    created_at: expect.any(Date),
    disabled_at: null,
    accounts: 2,
    max_accounts: 7,
  });
  expect(statements()).toBe(1);
  await expectRefusal(listResellers(reseller), 'forbidden');
});

test('an admin sees the manager of an account and the details of a package', async () => {
  const anne = await idOf('anne');
  expect(await findManager(contextOf(database.db), { account_id: anne })).toEqual({
    id: reseller.actor.userId,
    username: reseller.username,
  });
  expect(await findManager(contextOf(database.db), { account_id: await idOf('anna') })).toBe(null);
  const details = await getPackageDetails(contextOf(database.db), { package_id: large });
  expect(details).toMatchObject({ id: large, owner: null, assigned_resellers: [], accounts: 2 });
  await expectRefusal(findManager(reseller, { account_id: anne }), 'forbidden');
  await expectRefusal(getPackageDetails(reseller, { package_id: large }), 'not_found');
  const missing = getPackageDetails(contextOf(database.db), { package_id: 424_242 });
  await expectRefusal(missing, 'not_found');
});

test('a panel user is found by username in any case', async () => {
  const ctx = actor(database.db);
  expect(await findUserId(ctx, { username: reseller.username.toUpperCase() })).toBe(reseller.actor.userId);
  for (const username of ['nobody', 'ä', '']) expect(await findUserId(ctx, { username })).toBe(undefined);
});
