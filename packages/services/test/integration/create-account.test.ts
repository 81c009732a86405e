import { connect } from '@innkeeper/db';
import { uidForAccountId } from '@innkeeper/domain';
import { accountSpecSchema } from '@innkeeper/protocol';
import {
  assignPackage,
  checkUsername,
  cordonNode,
  createAdmin,
  createReseller,
  getAccount,
  listAccounts,
  setAccountResources,
  setNodeCapacity,
} from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  auditOf,
  fresh,
  open,
  ownLimits,
  rowOf,
  specOf,
} from './fixtures.ts';
import { contextOf, limits, refusalOf } from './records.ts';

let database: TestDatabase;
let nodeId: number;
let packageId: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.updateTable('nodes').set({ state: 'cordoned' }).execute();
  nodeId = await addOnlineNode(database.db);
  packageId = await addPackage(database.db, { io_read_mbps: 50, terminal_access: true });
});
afterAll(() => database.drop());

const admin = () => actor(database.db);
const taken = (field: string) => ({ [field]: [`The ${field} has already been taken.`] });

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['accounts', 'users', 'usernames', 'audit_log'] as const) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.db,
    );
    counts[table] = rows[0]?.n ?? -1;
  }
  return counts;
}

describe('what a create writes', () => {
  test('the account, its end user, its uid and the audit row are there together, and the node is woken once', async () => {
    const ctx = admin();
    const { view, accountId, generation } = await open(ctx, { package_id: packageId, username: 'anna' });
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
    const user = await database.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', row.user_id)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({ username: 'anna', role: 'user' });
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await auditOf(database.db, accountId)).toEqual(['account.create']);
    expect(ctx.wakes).toEqual([{ nodeId, accountId, generation }]);
    expect(await getAccount(ctx, { account_id: accountId, include: new Set() })).toEqual(view);
  });

  test('nothing that is stored or answered holds the password', async () => {
    const password = 'Tr0ub4dor & drei';
    const { view, accountId } = await open(admin(), { package_id: packageId, password });
    const everything = [
      view,
      await rowOf(database.db, accountId),
      await database.db.selectFrom('users').selectAll().execute(),
      await database.db.selectFrom('audit_log').selectAll().execute(),
    ];
    expect(JSON.stringify(everything)).not.toContain(password);
  });

  test('the node gets a spec that its own schema takes', async () => {
    const { accountId } = await open(admin(), { package_id: packageId, username: '0-start_' });
    const spec = await specOf(database.db, accountId);
    expect(accountSpecSchema.parse(spec)).toEqual(spec);
    expect(spec).toMatchObject({
      linux_user: '_0-start_',
      desired_state: 'active',
      generation: 1,
      domains: [],
    });
  });
});

describe('limits', () => {
  test('with a package what is named goes before the package, null and left out do not', async () => {
    const { view } = await open(admin(), {
      package_id: packageId,
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

  test('without a package the account hangs on the internal one, or on the smallest that can be used', async () => {
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

  test('a reseller without any package is told that one is needed', async () => {
    const reseller = await addReseller(database.db);
    expect(await refusalOf(open(reseller, { ...ownLimits }))).toMatchObject({
      code: 'invalid',
      fields: { package_id: [expect.any(String)] },
    });
  });
});

describe('packages', () => {
  test.each(['unknown', 'inactive', 'internal'] as const)(
    'an %s package is refused on its field',
    async (kind) => {
      let id = 9_999_999;
      if (kind === 'inactive') {
        id = await addPackage(database.db);
        await database.db.updateTable('packages').set({ is_active: 0 }).where('id', '=', id).execute();
      }
      if (kind === 'internal') id = await addPackage(database.db, { is_internal: true });
      expect(await refusalOf(open(admin(), { package_id: id }))).toMatchObject({
        code: 'invalid',
        fields: { package_id: ['The selected package id is invalid.'] },
      });
      if (kind === 'internal') await database.db.deleteFrom('packages').where('id', '=', id).execute();
    },
  );

  test('a reseller may use its own and assigned packages, and no others', async () => {
    const reseller = await addReseller(database.db);
    const other = await addReseller(database.db);
    const own = await addPackage(database.db, { owner: reseller.username });
    const foreign = await addPackage(database.db, { owner: other.username });
    for (const id of [packageId, foreign])
      expect(await refusalOf(open(reseller, { package_id: id }))).toMatchObject({
        fields: { package_id: ['The selected package id is invalid.'] },
      });
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
  test.each(['root', 'www-data', 'nobody', 'docker'])('%s is the system’s', async (username) => {
    expect(await checkUsername(admin(), { username })).toEqual({ username, available: false });
    expect(await refusalOf(open(admin(), { package_id: packageId, username }))).toMatchObject({
      fields: taken('username'),
    });
  });

  test('what a node has in its passwd, as it is or as a Linux user, is taken on that node, and on no other', async () => {
    await database.db.updateTable('nodes').set({ state: 'cordoned' }).where('state', '=', 'active').execute();
    try {
      const honest = await addOnlineNode(database.db);
      const nodeOf = async (name: object = {}) => {
        const { accountId } = await open(admin(), { package_id: packageId, ...name });
        return (await rowOf(database.db, accountId)).node_id;
      };
      expect(await nodeOf()).toBe(honest);
      // This node is empty, so it has the most room.
      const liar = await addOnlineNode(database.db, { reserved_usernames: ['operator9', '_9lives'] });
      for (const username of ['operator9', '9lives']) {
        expect((await checkUsername(admin(), { username })).available).toBe(true);
        expect(await nodeOf({ username })).toBe(honest);
      }
      expect(await nodeOf()).toBe(liar);
    } finally {
      await database.db
        .updateTable('nodes')
        .set({ state: 'active' })
        .where('state', '=', 'cordoned')
        .execute();
    }
  });

  test('a name that every node that takes accounts has for itself is taken', async () => {
    const others = database.db.updateTable('nodes').where('state', '=', 'active');
    await others.set({ state: 'cordoned' }).execute();
    try {
      await addOnlineNode(database.db, { reserved_usernames: ['operator8', '_8lives'] });
      for (const username of ['operator8', '8lives']) {
        expect((await checkUsername(admin(), { username })).available).toBe(false);
        expect(await refusalOf(open(admin(), { package_id: packageId, username }))).toMatchObject({
          fields: taken('username'),
        });
      }
    } finally {
      await database.db
        .updateTable('nodes')
        .set({ state: 'active' })
        .where('state', '=', 'cordoned')
        .execute();
    }
  });

  test('an account’s and a panel user’s name are taken, for each other too', async () => {
    const reseller = await addReseller(database.db);
    const { view } = await open(admin(), { package_id: packageId });
    for (const username of [reseller.username, view.username]) {
      expect((await checkUsername(admin(), { username })).available).toBe(false);
      expect(await refusalOf(open(admin(), { package_id: packageId, username }))).toMatchObject({
        fields: taken('username'),
      });
    }
    const staff = { username: view.username, email: 'new@staff.example', password: 'correct horse' };
    expect(await refusalOf(createAdmin(contextOf(database.db), staff))).toMatchObject({
      fields: taken('username'),
    });
  });

  test('an email may be used by many accounts, and by none when it is an admin’s or reseller’s', async () => {
    const email = 'Shared@Example.com';
    await open(admin(), { package_id: packageId, email });
    expect((await open(admin(), { package_id: packageId, email })).view.email).toBe(email);
    const reseller = await addReseller(database.db);
    expect(
      await refusalOf(open(admin(), { package_id: packageId, email: reseller.email.toUpperCase() })),
    ).toMatchObject({ fields: taken('email') });
    const staff = { username: fresh('staff'), email: 'shared@example.COM', password: 'correct horse' };
    expect(await refusalOf(createReseller(contextOf(database.db), staff))).toMatchObject({
      fields: taken('email'),
    });
  });

  test('everything that the records refuse is said at once, and nothing is written', async () => {
    const reseller = await addReseller(database.db);
    const before = await countRows();
    const ctx = admin();
    expect(
      await refusalOf(open(ctx, { username: 'root', email: reseller.email, package_id: 9_999_999 })),
    ).toMatchObject({
      code: 'invalid',
      fields: {
        ...taken('username'),
        ...taken('email'),
        package_id: ['The selected package id is invalid.'],
      },
    });
    expect(await countRows()).toEqual(before);
    expect(ctx.wakes).toEqual([]);
  });

  test('a password that Linux would never take is refused', async () => {
    expect(
      await refusalOf(open(admin(), { package_id: packageId, password: 'ä'.repeat(256) })),
    ).toMatchObject({
      fields: { password: ['The password field must not be greater than 511 bytes.'] },
    });
  });
});

describe('races', () => {
  test('of 32 creates of one name exactly one succeeds, and the others name the field', async () => {
    const username = fresh('race');
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, () => open(admin(), { package_id: packageId, username })),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(31);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'invalid', fields: taken('username') });
    const { total } = await listAccounts(admin(), { username, page: 1, per_page: 25 });
    expect(total).toBe(1);
    const users = await database.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .execute();
    expect(users).toHaveLength(1);
  });

  test('of an account and a reseller with one email at the same time exactly one is made', async () => {
    for (let round = 0; round < 8; round++) {
      const email = `${fresh('both')}@example.com`;
      const results = await Promise.allSettled([
        open(admin(), { package_id: packageId, email }),
        createReseller(contextOf(database.db), {
          username: fresh('staff'),
          email,
          password: 'correct horse',
        }),
      ]);
      expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused?.reason).toMatchObject({ code: 'invalid', fields: taken('email') });
    }
  });

  test('32 accounts with one contact email are all made', async () => {
    const email = `${fresh('family')}@example.com`;
    const made = await Promise.all(
      Array.from({ length: 32 }, () => open(admin(), { package_id: packageId, email })),
    );
    expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(32);
  });
});

describe('placement', () => {
  test('accounts go to the node with the most room, by what is allocated', async () => {
    const second = await addOnlineNode(database.db);
    const placed: number[] = [];
    for (let i = 0; i < 4; i++) placed.push((await open(admin(), { package_id: packageId })).nodeId);
    expect(placed).toEqual([nodeId, second, nodeId, second]);
  });

  test('50 creates at once spread over nodes of equal room', async () => {
    for (let i = 0; i < 4; i++) await addOnlineNode(database.db);
    const poolSize = 10;
    const db = connect(database.url, { poolSize });
    const made = await Promise.all(
      Array.from({ length: 50 }, () => open(actor(db), { package_id: packageId })),
    ).finally(() => db.destroy());
    const taken = Map.groupBy(made, (account) => account.nodeId);
    expect(taken.size).toBe(5);
    // The last create that chose a node saw it with no more accounts than any other, and at most `poolSize` creates
    // chose it at the same time.
    for (const accounts of taken.values()) expect(accounts.length).toBeLessThanOrEqual(10 + poolSize);
  });

  test('limits that an account is given later are taken from its node', async () => {
    const second = await addOnlineNode(database.db);
    const [first] = [
      await open(admin(), { package_id: packageId }),
      await open(admin(), { package_id: packageId }),
    ];
    expect(first.nodeId).toBe(nodeId);
    await setAccountResources(admin(), {
      account_id: first.accountId,
      ram_limit_mb: 1_024,
      terminal_access: false,
    });
    const next = [
      await open(admin(), { package_id: packageId }),
      await open(admin(), { package_id: packageId }),
    ];
    expect(next.map((account) => account.nodeId)).toEqual([second, nodeId]);
  });

  test('a bigger node takes more', async () => {
    const big = await addOnlineNode(database.db, { memory_bytes: 192 * 2 ** 30 });
    const placed: number[] = [];
    for (let i = 0; i < 8; i++) placed.push((await open(admin(), { package_id: packageId })).nodeId);
    expect(placed.filter((id) => id === big)).toHaveLength(6);
  });

  test('a node that lies about its memory draws four times its share at most, and what an operator set', async () => {
    const liar = await addOnlineNode(database.db);
    await addOnlineNode(database.db, { node_id: liar, memory_bytes: 64 * 2 ** 40 });
    const placed = async (count: number) => {
      const nodes: number[] = [];
      for (let i = 0; i < count; i++) nodes.push((await open(admin(), { package_id: packageId })).nodeId);
      return nodes.filter((id) => id === liar).length;
    };
    expect(await placed(10)).toBe(8);
    await setNodeCapacity(contextOf(database.db), { node: liar, memory_mb: 1_024 });
    expect(await placed(4)).toBe(0);
  });

  test('a cordoned node, a silent one and one that was never heard of take none: nothing is written', async () => {
    await cordonNode(contextOf(database.db), { node: nodeId });
    const silent = await addOnlineNode(database.db);
    await sql`update nodes set last_seen_at = now(6) - interval 46 second where id = ${silent}`.execute(
      database.db,
    );
    const before = await countRows();
    expect(await refusalOf(open(admin(), { package_id: packageId }))).toMatchObject({ code: 'unavailable' });
    expect(await countRows()).toEqual(before);
    await sql`update nodes set last_seen_at = now(6) - interval 44 second where id = ${silent}`.execute(
      database.db,
    );
    expect((await open(admin(), { package_id: packageId })).nodeId).toBe(silent);
  });
});
