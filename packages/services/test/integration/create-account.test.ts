import { connect } from '@innkeeper/db';
import { uidForAccountId } from '@innkeeper/domain';
import {
  assignPackage,
  checkUsername,
  cordonNode,
  createAccount,
  createAdmin,
  createReseller,
  getAccount,
  listAccounts,
  type NewAccount,
  type OperatorContext,
  setAccountResources,
  setNodeCapacity,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  auditOf,
  open,
  ownLimits,
  rowOf,
  specOf,
} from './fixtures.ts';
import { contextOf, fresh, limits, ownDatabase, rowsWhere, rowWhere, withRealHashes } from './records.ts';
import { expectRace, expectRefusal, invalid, taken } from './refusals.ts';

const database = ownDatabase();
let nodeId: number;
let packageId: number;

const cordonEveryNode = () => database.db.updateTable('nodes').set({ state: 'cordoned' }).execute();
beforeEach(async () => {
  await cordonEveryNode();
  nodeId = await addOnlineNode(database.db);
  packageId = await addPackage(database.db, { io_read_mbps: 50, terminal_access: true });
});

const admin = () => actor(database.db);
const create = (input: Partial<NewAccount> = {}, ctx: OperatorContext = admin()) =>
  open(ctx, { package_id: packageId, ...input });
/** Creates this many accounts, one after the other. Returns the nodes that they are on. */
async function place(accounts: number): Promise<number[]> {
  const nodes: number[] = [];
  while (nodes.length < accounts) nodes.push((await create()).nodeId);
  return nodes;
}
const takenDomain = invalid({ domain_name: 'The domain name has already been taken.' });
const unknownPackage = invalid({ package_id: 'The selected package id is invalid.' });

/** Returns all rows that a create could write. */
const storedRows = () =>
  Promise.all(
    (['accounts', 'users', 'usernames', 'audit_log'] as const).map((table) => rowsWhere(database.db, table)),
  );

describe('what a create writes', () => {
  test('the account, its end user, its uid and the audit row are written together, and the node is woken once', async () => {
    const ctx = admin();
    const { view, accountId, generation } = await create({ username: 'anna' }, withRealHashes(ctx));
    expect(view).toMatchObject({
      id: accountId,
      username: 'anna',
      status: 'active',
      synced: false,
      package_id: packageId,
      package: { id: packageId, disk_mb: limits.disk_limit_mb },
      linux_user: 'anna',
      home_path: '/home/anna',
      ...limits,
      io_read_mbps: 50,
      terminal_access: true,
      domains: [],
      apps_count: 0,
      apps_limit: limits.max_apps,
      node: { id: nodeId },
    });
    const row = await rowOf(database.db, accountId);
    expect(row).toMatchObject({
      uid: uidForAccountId(accountId),
      generation: 1,
      observed_generation: 0,
      pending: 1,
    });
    const user = await rowWhere(database.db, 'users', { id: row.user_id });
    expect(user).toMatchObject({ username: 'anna', role: 'user' });
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await auditOf(database.db, accountId)).toEqual(['account.create']);
    expect(ctx.wakes).toEqual([{ nodeId, accountId, generation }]);
    expect(await getAccount(ctx, { account_id: accountId, include: new Set() })).toEqual(view);
  });

  test('its first domain is written with it, and a refused domain leaves nothing', async () => {
    const ctx = admin();
    const withDomain = (domain_name: string, input: Partial<NewAccount> = {}) => {
      const username = fresh('first');
      const person = { username, name: 'A', email: `${username}@example.com`, password: 'correct horse' };
      return createAccount(ctx, { ...person, package_id: packageId, ...input } as NewAccount, {
        domain_name,
      });
    };
    const { view, accountId, generation } = await withDomain('first-of-all.example');
    expect(view.domains).toMatchObject([{ domain_name: 'first-of-all.example', is_primary: true }]);
    expect(generation).toBe(1);
    expect(await auditOf(database.db, accountId)).toEqual(['account.create']);
    expect((await specOf(database.db, accountId)).domains).toMatchObject([{ name: 'first-of-all.example' }]);

    const before = [await storedRows(), await rowsWhere(database.db, 'domains')];
    await expectRefusal(withDomain('first-of-all.example'), takenDomain);
    await expectRefusal(
      withDomain('sub.first-of-all.example'),
      invalid({ domain_name: expect.stringContaining('Create the account without it') }),
    );
    await expectRefusal(
      withDomain('co.uk'),
      invalid({ domain_name: 'The domain name field must not be a public suffix.' }),
    );
    expect([await storedRows(), await rowsWhere(database.db, 'domains')]).toEqual(before);
    expect(ctx.wakes).toHaveLength(1);
    await expectRace({ calls: 4, winners: 1, refusal: takenDomain }, () => withDomain('raced-first.example'));
  });

  test('the password is neither stored nor returned', async () => {
    const password = 'Tr0ub4dor & drei';
    const { view, accountId } = await create({ password });
    const everything = [
      view,
      await rowOf(database.db, accountId),
      await rowsWhere(database.db, 'users'),
      await rowsWhere(database.db, 'audit_log'),
    ];
    expect(JSON.stringify(everything)).not.toContain(password);
  });

  test('the node gets a valid spec', async () => {
    const { accountId } = await create({ username: '0-start_' });
    const spec = await specOf(database.db, accountId);
    expect(spec).toMatchObject({
      linux_user: '_0-start_',
      desired_state: 'active',
      generation: 1,
      domains: [],
    });
  });
});

describe('limits', () => {
  test('with a package, given limits override the package; null and omitted ones do not', async () => {
    const { view } = await create({
      disk_limit_mb: 333,
      io_read_mbps: null,
      iops: 400,
      terminal_access: false,
    });
    expect(view).toMatchObject({
      ...limits,
      disk_limit_mb: 333,
      io_read_mbps: 50,
      iops: 400,
      terminal_access: false,
    });
  });

  test('without a package, the account gets the internal one, or the smallest one', async () => {
    const smallest = await addPackage(database.db, { disk_mb: 101, max_cron_jobs: 9 });
    const first = await open(admin(), { ...ownLimits, io_write_mbps: 7 });
    expect(first.view).toMatchObject({
      package_id: smallest,
      disk_limit_mb: 500,
      io_read_mbps: null,
      io_write_mbps: 7,
      iops: null,
      max_processes: null,
      max_cron_jobs: 9,
      terminal_access: false,
    });
    const internal = await addPackage(database.db, {
      is_internal: true,
      max_cron_jobs: 2,
      terminal_access: true,
    });
    const second = await open(admin(), { ...ownLimits });
    expect(second.view).toMatchObject({ package_id: internal, max_cron_jobs: 2, terminal_access: true });
    await database.db.deleteFrom('accounts').where('package_id', '=', internal).execute();
    await database.db.deleteFrom('packages').where('id', '=', internal).execute();
  });

  test('a reseller without any package is refused at the package field', async () => {
    const reseller = await addReseller(database.db);
    await expectRefusal(open(reseller, { ...ownLimits }), invalid({ package_id: expect.any(String) }));
  });
});

describe('packages', () => {
  test.each(['unknown', 'inactive', 'internal'] as const)(
    'an %s package is refused at its field',
    async (kind) => {
      let id = 9_999_999;
      if (kind === 'inactive') {
        id = await addPackage(database.db);
        await database.db.updateTable('packages').set({ is_active: 0 }).where('id', '=', id).execute();
      }
      if (kind === 'internal') id = await addPackage(database.db, { is_internal: true });
      await expectRefusal(create({ package_id: id }), unknownPackage);
      if (kind === 'internal') await database.db.deleteFrom('packages').where('id', '=', id).execute();
    },
  );

  test('a reseller may use its own and assigned packages only', async () => {
    const reseller = await addReseller(database.db);
    const other = await addReseller(database.db);
    const own = await addPackage(database.db, { owner: reseller.username });
    const foreign = await addPackage(database.db, { owner: other.username });
    for (const id of [packageId, foreign])
      await expectRefusal(open(reseller, { package_id: id }), unknownPackage);
    await assignPackage(contextOf(database.db), { package_id: packageId, reseller: reseller.username });
    for (const id of [own, packageId]) {
      const { view, accountId } = await open(reseller, { package_id: id });
      expect(view.package_id).toBe(id);
      expect(view).not.toHaveProperty('node');
      expect((await rowOf(database.db, accountId)).reseller_user_id).toBe(reseller.actor.userId);
    }
  });
});

describe('names', () => {
  test.each(['root', 'www-data', 'nobody', 'docker'])('the system name %s is taken', async (username) => {
    expect(await checkUsername(admin(), { username })).toEqual({ username, available: false });
    await expectRefusal(create({ username }), taken('username'));
  });

  test('a username in a node’s passwd, or its Linux user, is reserved on that node only', async () => {
    await cordonEveryNode();
    const honest = await addOnlineNode(database.db);
    const nodeOf = async (name: object = {}) => (await create(name)).nodeId;
    expect(await nodeOf()).toBe(honest);
    // This node is empty, so it has the most room.
    const liar = await addOnlineNode(database.db, { reserved_usernames: ['operator9', '_9lives'] });
    for (const username of ['operator9', '9lives']) {
      expect((await checkUsername(admin(), { username })).available).toBe(true);
      expect(await nodeOf({ username })).toBe(honest);
    }
    expect(await nodeOf()).toBe(liar);
  });

  test('a username that every available node reserves is taken', async () => {
    await cordonEveryNode();
    await addOnlineNode(database.db, { reserved_usernames: ['operator8', '_8lives'] });
    for (const username of ['operator8', '8lives']) {
      expect((await checkUsername(admin(), { username })).available).toBe(false);
      await expectRefusal(create({ username }), taken('username'));
    }
  });

  test('accounts and panel users share one set of usernames', async () => {
    const reseller = await addReseller(database.db);
    const { view } = await create();
    for (const username of [reseller.username, view.username]) {
      expect((await checkUsername(admin(), { username })).available).toBe(false);
      await expectRefusal(create({ username }), taken('username'));
    }
    const staff = { username: view.username, email: 'new@staff.example', password: 'correct horse' };
    await expectRefusal(createAdmin(contextOf(database.db), staff), taken('username'));
  });

  test('many accounts may have the same email, but not an admin’s or reseller’s email', async () => {
    const email = 'Shared@Example.com';
    await create({ email });
    expect((await create({ email })).view.email).toBe(email);
    const reseller = await addReseller(database.db);
    await expectRefusal(create({ email: reseller.email.toUpperCase() }), taken('email'));
    const staff = { username: fresh('staff'), email: 'shared@example.COM', password: 'correct horse' };
    await expectRefusal(createReseller(contextOf(database.db), staff), taken('email'));
  });

  test('all refused fields are in one error, and nothing is written', async () => {
    const reseller = await addReseller(database.db);
    const before = await storedRows();
    const ctx = admin();
    await expectRefusal(open(ctx, { username: 'root', email: reseller.email, package_id: 9_999_999 }), {
      code: 'invalid',
      fields: { ...taken('username').fields, ...taken('email').fields, ...unknownPackage.fields },
    });
    expect(await storedRows()).toEqual(before);
    expect(ctx.wakes).toEqual([]);
  });

  test('a password that Linux cannot use is refused', async () => {
    await expectRefusal(
      create({ password: 'ä'.repeat(256) }),
      invalid({ password: 'The password field must not be greater than 511 bytes.' }),
    );
  });
});

describe('races', () => {
  test('of 32 concurrent creates of one username exactly one succeeds, and the others name the field', async () => {
    const username = fresh('race');
    await expectRace({ calls: 32, winners: 1, refusal: taken('username') }, () => create({ username }));
    const { total } = await listAccounts(admin(), { username, page: 1, per_page: 25 });
    expect(total).toBe(1);
    expect(await rowsWhere(database.db, 'users', { username })).toHaveLength(1);
  });

  test('of an account and a reseller that are created with one email at the same time, exactly one succeeds', async () => {
    for (let round = 0; round < 8; round++) {
      const email = `${fresh('both')}@example.com`;
      const staff = { username: fresh('staff'), email, password: 'correct horse' };
      const creates = [() => create({ email }), () => createReseller(contextOf(database.db), staff)];
      await expectRace({ calls: 2, winners: 1, refusal: taken('email') }, async (n) => creates[n]?.());
    }
  });

  test('32 concurrent creates with one contact email all succeed', async () => {
    const email = `${fresh('family')}@example.com`;
    const made = await Promise.all(Array.from({ length: 32 }, () => create({ email })));
    expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(32);
  });
});

describe('placement', () => {
  test('accounts go to the node with the most unallocated resources', async () => {
    const second = await addOnlineNode(database.db);
    expect(await place(4)).toEqual([nodeId, second, nodeId, second]);
  });

  test('50 concurrent creates spread over equal nodes', async () => {
    for (let i = 0; i < 4; i++) await addOnlineNode(database.db);
    const poolSize = 10;
    const db = connect(database.url, { poolSize });
    const made = await Promise.all(Array.from({ length: 50 }, () => create({}, actor(db)))).finally(() =>
      db.destroy(),
    );
    const taken = Map.groupBy(made, (account) => account.nodeId);
    expect(taken.size).toBe(5);
    // The last create that chose a node saw it with no more accounts than any other, and at most `poolSize` creates
    // chose it at the same time.
    for (const accounts of taken.values()) expect(accounts.length).toBeLessThanOrEqual(10 + poolSize);
  });

  test('later changes of limits count for placement', async () => {
    const second = await addOnlineNode(database.db);
    const { accountId: account_id, nodeId: first } = await create();
    expect([first, ...(await place(1))]).toEqual([nodeId, second]);
    await setAccountResources(admin(), { account_id, ram_limit_mb: 1_024, terminal_access: false });
    expect(await place(2)).toEqual([second, nodeId]);
  });

  test('a larger node gets more accounts', async () => {
    const big = await addOnlineNode(database.db, { memory_bytes: 192 * 2 ** 30 });
    expect((await place(8)).filter((id) => id === big)).toHaveLength(6);
  });

  test('a node with a false memory size gets at most four times its share, or the capacity that an operator set', async () => {
    const liar = await addOnlineNode(database.db);
    await addOnlineNode(database.db, { node_id: liar, memory_bytes: 64 * 2 ** 40 });
    const placed = async (accounts: number) => (await place(accounts)).filter((id) => id === liar).length;
    expect(await placed(10)).toBe(8);
    await setNodeCapacity(contextOf(database.db), { node: liar, memory_mb: 1_024 });
    expect(await placed(4)).toBe(0);
  });

  test('a cordoned, a silent and a new node get no account, and nothing is written', async () => {
    await cordonNode(contextOf(database.db), { node: nodeId });
    const silent = await addOnlineNode(database.db);
    const heardOf = (secondsAgo: number) =>
      sql`update nodes set last_seen_at = now(6) - interval ${secondsAgo} second where id = ${silent}`.execute(
        database.db,
      );
    await heardOf(46);
    const before = await storedRows();
    await expectRefusal(create(), 'unavailable');
    expect(await storedRows()).toEqual(before);
    await heardOf(44);
    expect((await create()).nodeId).toBe(silent);
  });
});
