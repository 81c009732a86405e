import { migrate, recount } from '@innkeeper/db';
import {
  changeAccountPackage,
  getAccount,
  listAccounts,
  listAllPackages,
  listNodes,
  type OperatorContext,
  setAccountResources,
  terminateAccount,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest } from './fixtures.ts';
import {
  contextOf,
  counting,
  fresh,
  insertAccountRecord,
  insertDomainRecord,
  ownDatabase,
  rowWhere,
} from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let nodeId: number;
beforeAll(async () => {
  nodeId = await addOnlineNode(database.db);
});

const totalOf = async (ctx: OperatorContext) =>
  (await listAccounts({ ...ctx, db: database.db }, { page: 1, per_page: 1 })).total;

/** Returns the results of `count(*)`: the total, and the count of each reseller. */
async function counted(resellerIds: readonly (number | null)[]): Promise<number[]> {
  const count = async (resellerId: number | null) => {
    let query = database.db.selectFrom('accounts').select((eb) => eb.fn.countAll<number>().as('n'));
    if (resellerId !== null) query = query.where('reseller_user_id', '=', resellerId);
    return (await query.executeTakeFirstOrThrow()).n;
  };
  return await Promise.all(resellerIds.map(count));
}

/** Returns the account numbers in the lists of nodes and packages, and the sums over the accounts themselves. */
async function saidAndSummed() {
  const ctx = actor(database.db);
  const { rows: nodes } = await sql<{ id: number; accounts: number; disk_mb: number; ram_mb: number }>`
    select nodes.id, count(accounts.id) as accounts, coalesce(sum(disk_limit_mb), 0) as disk_mb,
      coalesce(sum(ram_limit_mb), 0) as ram_mb
    from nodes left join accounts on node_id = nodes.id group by nodes.id order by nodes.id`.execute(
    database.db,
  );
  const { rows: packages } = await sql<{ id: number; accounts: number }>`
    select packages.id, count(accounts.id) as accounts
    from packages left join accounts on package_id = packages.id group by packages.id order by packages.id`.execute(
    database.db,
  );
  const said = {
    nodes: (await listNodes(ctx))
      .map(({ id, allocated }) => ({ id, ...allocated }))
      .sort((a, b) => a.id - b.id),
    packages: (await listAllPackages(ctx)).map(({ id, accounts }) => ({ id, accounts })),
  };
  return { said, summed: { nodes, packages } };
}

async function remove(ctx: OperatorContext, accountId: number): Promise<void> {
  await terminateAccount(ctx, { account_id: accountId });
  await reportNewest(database.db, accountId, { outcome: 'absent' });
}

test('the totals equal count(*) after 32 concurrent creates and removals by an admin and two resellers', async () => {
  const creators = [
    actor(database.db),
    await addReseller(database.db),
    await addReseller(database.db),
  ] as const;
  const ids = creators.map(({ actor: { userId } }) => userId);
  const makeOne = async (index: number) => {
    const ctx = creators[index % creators.length] ?? creators[0];
    return { ctx, id: (await open(ctx, { package_id: await packageFor(ctx) })).accountId };
  };
  const first = await Promise.all(Array.from({ length: 16 }, (_, index) => makeOne(index)));
  await Promise.all([
    ...first.map(({ ctx, id }) => remove(ctx, id)),
    ...Array.from({ length: 16 }, (_, index) => makeOne(index)),
  ]);
  const totals = await Promise.all(creators.map(totalOf));
  expect(totals).toEqual(await counted(ids));
  expect(totals[0]).toBeGreaterThanOrEqual(16);
});

test('nodes and packages show the number and the limits of their accounts after concurrent creates, changes and removals', async () => {
  await addOnlineNode(database.db);
  const ctx = actor(database.db);
  const small = await addPackage(database.db, { disk_mb: 100, ram_mb: 128 });
  const large = await addPackage(database.db, { disk_mb: 5_000, ram_mb: 1_024 });
  const ids: number[] = [];
  for (let i = 0; i < 24; i++)
    ids.push((await open(ctx, { package_id: i % 2 === 0 ? small : large })).accountId);
  await Promise.all([
    ...ids.slice(0, 6).map((account_id) => remove(ctx, account_id)),
    ...ids
      .slice(6, 16)
      .map((account_id, i) =>
        changeAccountPackage(ctx, { account_id, package_id: i % 2 === 0 ? large : small }),
      ),
    ...ids.slice(16).map((account_id, i) =>
      setAccountResources(ctx, {
        account_id,
        disk_limit_mb: 10 + i,
        ram_limit_mb: 20 + i,
        terminal_access: false,
      }),
    ),
    ...Array.from({ length: 8 }, () => open(ctx, { package_id: small })),
  ]);
  const { said, summed } = await saidAndSummed();
  expect(said).toEqual(summed);
  expect(said.packages.find(({ id }) => id === small)?.accounts).toBe(9 - 5 + 5 + 8);
  expect(await recount(database.db)).toBe(0);
});

async function packageFor({ actor: { userId, role } }: OperatorContext): Promise<number> {
  if (role === 'admin') return await addPackage(database.db);
  const { username } = await rowWhere(database.db, 'users', { id: userId ?? 0 });
  return await addPackage(database.db, { resellers: [username] });
}

test('a refused account, and one that was undone after its node failed, are not counted', async () => {
  const admin = actor(database.db);
  const before = await totalOf(admin);
  const package_id = await addPackage(database.db);
  const username = fresh('twice');
  const { accountId } = await open(admin, { package_id, username });
  await expectRefusal(open(admin, { package_id, username }), 'invalid');
  expect(await totalOf(admin)).toBe(before + 1);
  await reportNewest(database.db, accountId, { outcome: 'failed' });
  await reportNewest(database.db, accountId, { outcome: 'absent' });
  expect(await totalOf(admin)).toBe(before);
});

test('a recount repairs wrong counts during concurrent writes, and the next recount changes nothing', async () => {
  const reseller = await addReseller(database.db);
  const package_id = await packageFor(reseller);
  await open(reseller, { package_id });
  await sql`update record_counts set records = records + 7 where slot % 3 = 0`.execute(database.db);
  await sql`update record_counts set disk_mb = disk_mb - 9, ram_mb = 1 where slot % 3 = 1`.execute(
    database.db,
  );
  await sql`delete from record_counts where scope_id = ${reseller.actor.userId}`.execute(database.db);
  const writers = Array.from({ length: 8 }, async () => {
    const { accountId } = await open(reseller, { package_id });
    await setAccountResources(reseller, { account_id: accountId, disk_limit_mb: 7, terminal_access: false });
    await remove(reseller, accountId);
    await open(reseller, { package_id });
  });
  let writing = true;
  const all = Promise.all(writers).finally(() => {
    writing = false;
  });
  while (writing) await recount(database.db);
  await all;
  expect(await recount(database.db)).toBe(0);
  expect(await totalOf(reseller)).toBe(9);
  expect(await counted([reseller.actor.userId])).toEqual([9]);
  const { said, summed } = await saidAndSummed();
  expect(said).toEqual(summed);
});

test('a migration sets the counts', async () => {
  await sql`delete from record_counts`.execute(database.db);
  await migrate(database.db);
  expect(await totalOf(actor(database.db))).toBe((await counted([null]))[0]);
  const { said, summed } = await saidAndSummed();
  expect(said).toEqual(summed);
});

test('a page and its total cost one statement; a page past the end costs two', async () => {
  const reseller = await addReseller(database.db);
  const { userId } = reseller.actor;
  const package_id = await packageFor(reseller);
  const usernames = [fresh('paged'), fresh('paged'), fresh('paged')];
  for (const username of usernames)
    await insertAccountRecord(database.db, {
      username,
      node_id: nodeId,
      package_id,
      reseller_user_id: userId,
    });
  const ask = async (input: { page: number; username?: string }) => {
    const { db, statements } = counting(database.db);
    const { items, total } = await listAccounts({ ...reseller, db }, { per_page: 2, ...input });
    return [items.map((item) => item.username), total, statements()];
  };
  expect(await ask({ page: 1 })).toEqual([usernames.slice(0, 2), 3, 1]);
  expect(await ask({ page: 2 })).toEqual([usernames.slice(2), 3, 1]);
  expect(await ask({ page: 3 })).toEqual([[], 3, 2]);
  expect(await ask({ page: 1, username: usernames[1] ?? '' })).toEqual([[usernames[1]], 1, 1]);
  expect(await ask({ page: 1, username: 'nobody' })).toEqual([[], 0, 1]);
});

test.each([
  [0, 1],
  [1_000, 1],
  [1_001, 2],
])('an account with %i domains shows them all, oldest first: %i statements', async (count, expected) => {
  const package_id = await addPackage(database.db);
  const account_id = await insertAccountRecord(database.db, {
    username: fresh('host'),
    node_id: nodeId,
    package_id,
  });
  const label = 'x'.repeat(60);
  const name = (index: number) =>
    `d${String(index).padStart(5, '0')}.${account_id}.${label}.${label}.${label}.example`;
  const now = new Date();
  await insertDomainRecord(database.db, {
    account_id,
    domain_name: `gone.${account_id}.example`,
    state: 'removing',
  });
  if (count > 0)
    await database.db
      .insertInto('domains')
      .values(
        Array.from({ length: count }, (_, index) => ({
          account_id,
          domain_name: name(index),
          reversed_name: `${account_id}.${index}`,
          is_primary: index === 0 ? 1 : 0,
          state: 'active' as const,
          status: 'active' as const,
          status_reason: null,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute();
  const { db, statements } = counting(database.db);
  const { domains } = await getAccount({ ...contextOf(database.db), db }, { account_id, include: new Set() });
  expect(domains.map((domain) => domain.domain_name)).toEqual(
    Array.from({ length: count }, (_, index) => name(index)),
  );
  expect(domains.filter((domain) => domain.is_primary)).toHaveLength(Math.min(1, count));
  expect(statements()).toBe(expected);
});
