import type { AccountSpec, DatabaseSpec } from '@innkeeper/protocol';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SharedConnections } from '../../src/capabilities/databases/database-connections.ts';
import { DatabaseServer } from '../../src/capabilities/databases/database-server.ts';
import { NodeDatabases } from '../../src/capabilities/databases/databases.ts';
import { databasesDriver } from '../../src/capabilities/databases/databases-driver.ts';
import { oldPasswordsDriver } from '../../src/capabilities/databases/old-passwords-driver.ts';
import type { Host } from '../../src/capabilities/host.ts';
import { Changes } from '../../src/node/changes.ts';
import { type Owner, ownerNamed } from '../../src/node/owner.ts';
import { convergeDriver } from '../../src/reconciler/converge-driver.ts';
import { specOf } from '../specs.ts';

/** The database driver, on the server of the integration tests: MariaDB, or MySQL. */
const url = new URL(process.env.INNKEEPER_TEST_MARIADB_URL ?? 'mysql://missing');
const socketPath = process.env.INNKEEPER_TEST_DATABASE_SOCKET ?? '/missing';
const server = new DatabaseServer(socketPath);
const FIRST = 'First1'.repeat(4);
const SECOND = 'Second2'.repeat(4);

const shop = (changes: Partial<DatabaseSpec> = {}): DatabaseSpec => ({
  database_id: 1,
  db_name: 'tester_sh_p',
  password: FIRST,
  password_revision: 1,
  allowed_ips: ['198.51.100.7'],
  desired_state: 'active',
  ...changes,
});
const account = (changes: Partial<AccountSpec> = {}): AccountSpec =>
  specOf({ linux_user: 'tester', uid: 20_077, databases: [shop()], ...changes });

/**
 * Converges the spec, checks that a second pass changes nothing, and returns the number of changes of the first pass.
 */
async function converge(spec: AccountSpec): Promise<number> {
  const first = await pass(spec, new Changes());
  const second = new Changes();
  await pass(spec, second);
  expect(second.count).toBe(0);
  return first;
}

/** Uids of accounts that are over their disk limit. */
const full = new Set<number>();
/** The clock runs a thousand times as fast, so that ten minutes pass within a test. */
const connections = new SharedConnections(
  server,
  new NodeDatabases(server, new Changes()),
  () => performance.now() * 1_000,
);

/** Counts the statements that it sends to the server. */
class CountingServer extends DatabaseServer {
  statements = 0;

  override async query<Row>(...asked: Parameters<DatabaseServer['query']>): Promise<Row[]> {
    this.statements += 1;
    return await super.query<Row>(...asked);
  }
}

/** Runs between the drivers, where a whole pass updates the clients of a database. */
let between = async () => {};

async function pass(spec: AccountSpec, changes: Changes): Promise<number> {
  const host = {
    databases: new NodeDatabases(server, changes),
    databaseConnections: connections,
    fullDisks: { isFull: ({ uid }: Owner) => full.has(uid) },
  } as unknown as Host;
  const hooks = { mayContinue: () => 'go' as const, onChange: () => {} };
  await convergeDriver(databasesDriver, spec, host, hooks);
  await between();
  await convergeDriver(oldPasswordsDriver, spec, host, hooks);
  return changes.count;
}

/** Runs a statement as the database's user. Returns its rows, or the server's error message. */
async function ask(password: string, sql: string, database?: string): Promise<unknown> {
  try {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: Number(url.port),
      user: 'tester_sh_p',
      password,
      ...(database === undefined ? {} : { database }),
    });
    try {
      const [rows] = await connection.query(sql);
      return rows;
    } finally {
      await connection.end();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

beforeAll(async () => {
  await server.query('create database if not exists tester_shop');
});
afterAll(async () => {
  await converge(account({ desired_state: 'absent' }));
  await server.query('drop database tester_shop');
});

test('a database belongs to its user only, and grants match no similar name', async () => {
  expect(await converge(account())).toBeGreaterThan(0);
  expect(await ask(FIRST, 'create table t (id int)', 'tester_sh_p')).toMatchObject({ affectedRows: 0 });
  expect(await ask(FIRST, 'show tables', 'tester_shop')).toMatch(/^Access denied for user 'tester_sh_p'/);
  expect(await ask(FIRST, 'select * from mysql.user')).toMatch(/denied/);
  expect(await ask(FIRST, "select load_file('/etc/passwd') as text")).toEqual([{ text: null }]);
});

test('a new password replaces the old one, and new allowed addresses replace the previous ones', async () => {
  await converge(
    account({ databases: [shop({ password: SECOND, password_revision: 2, allowed_ips: ['2001:db8::7'] })] }),
  );
  expect(await ask(FIRST, 'select 1')).toMatch(/^Access denied/);
  expect(await ask(SECOND, 'select 1 as one')).toEqual([{ one: 1 }]);
  const users = await server.query<{ host: string }>(
    "select Host as host from mysql.user where User = 'tester_sh_p'",
  );
  expect(users.map(({ host }) => host).sort()).toEqual(['127.0.0.1', '2001:db8::7', '::1', 'localhost']);
});

test('accepts both passwords while apps get the new one, then only the new one', async () => {
  const third = 'Third3'.repeat(4);
  const spec = (password: string, password_revision: number) =>
    account({ databases: [shop({ password, password_revision, allowed_ips: ['2001:db8::7'] })] });
  const taken: unknown[] = [];
  between = async () => {
    for (const password of [SECOND, third]) taken.push(await ask(password, 'select 1 as one'));
  };
  try {
    await pass(spec(third, 3), new Changes());
  } finally {
    between = async () => {};
  }
  expect(taken).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(await ask(SECOND, 'select 1')).toMatch(/^Access denied/);
  expect(await ask(third, 'select 1 as one')).toEqual([{ one: 1 }]);
  await converge(spec(third, 3));
  await converge(spec(SECOND, 2));
});

const second = { password: SECOND, password_revision: 2 };

test.each([
  ['a user that was dropped', 'drop user tester_sh_p@localhost'],
  ['a user of another place', "create user tester_sh_p@'203.0.113.9'"],
  ['a wider grant', 'grant select on *.* to tester_sh_p@localhost'],
  ['a right that is missing', 'revoke insert on `tester\\_sh\\_p`.* from tester_sh_p@localhost'],
  ['a database that was dropped', 'drop database tester_sh_p'],
])('%s is repaired', async (_, statement) => {
  await converge(account({ databases: [shop(second)] }));
  await server.query(statement);
  expect(await converge(account({ databases: [shop(second)] }))).toBeGreaterThan(0);
});

test('a suspension locks the database users, ends their connections, and removes no data', async () => {
  const spec = account({ databases: [shop(second)] });
  await converge(spec);
  await ask(SECOND, 'create table kept (id int)', 'tester_sh_p');
  const open = await createConnection({
    host: '127.0.0.1',
    port: Number(url.port),
    user: 'tester_sh_p',
    password: SECOND,
  });
  const lost = new Promise((resolve) => open.once('error', resolve));
  await converge({ ...spec, desired_state: 'suspended' });
  await lost;
  expect(await ask(SECOND, 'select 1')).toMatch(/locked/);
  await converge(spec);
  expect(await ask(SECOND, 'show tables', 'tester_sh_p')).toContainEqual({ Tables_in_tester_sh_p: 'kept' });
});

/** Opens a connection of the database's user from the loopback address. `works` returns whether it is still open. */
async function connect(user = 'tester_sh_p') {
  const connection = await createConnection({
    host: '127.0.0.1',
    port: Number(url.port),
    user,
    password: SECOND,
  });
  connection.on('error', () => {});
  return connection;
}
const works = (connection: Awaited<ReturnType<typeof connect>>, sql: string): Promise<boolean> =>
  connection.query(sql).then(
    () => true,
    () => false,
  );

test('databases of a full account allow reads and deletes only, also for open connections', async () => {
  const spec = account({ databases: [shop(second)] });
  await converge(spec);
  await ask(SECOND, 'create table filled (id int)', 'tester_sh_p');
  await ask(SECOND, 'insert into filled values (1), (2)', 'tester_sh_p');
  const before = await connect();
  expect(await works(before, 'use tester_sh_p')).toBe(true);
  full.add(spec.uid);
  await converge(spec);
  expect(await works(before, 'insert into filled values (3)')).toBe(false);
  for (const sql of [
    'insert into filled values (3)',
    'update filled set id = 4',
    'create table more (id int)',
    'alter table filled add column n int',
    'create temporary table t (id int)',
  ])
    expect(await ask(SECOND, sql, 'tester_sh_p'), sql).toMatch(/denied/);
  expect(await ask(SECOND, 'delete from filled where id = 1', 'tester_sh_p')).toMatchObject({
    affectedRows: 1,
  });
  expect(await ask(SECOND, 'select id from filled', 'tester_sh_p')).toEqual([{ id: 2 }]);
  full.delete(spec.uid);
  await converge(spec);
  expect(await ask(SECOND, 'insert into filled values (3)', 'tester_sh_p')).toMatchObject({
    affectedRows: 1,
  });
});

test('the disk space of deleted rows is freed', async () => {
  const spec = account({ databases: [shop(second)] });
  await converge(spec);
  await ask(SECOND, 'create table `gr``own` (id int auto_increment primary key, t longblob)', 'tester_sh_p');
  for (let at = 0; at < 8; at += 1)
    await ask(SECOND, "insert into `gr``own` (t) values (repeat('x', 2 * 1048576))", 'tester_sh_p');
  await ask(SECOND, 'delete from `gr``own`', 'tester_sh_p');
  const owner = ownerNamed('tester', spec.uid);
  const free = async () => {
    const [row] = await server.query<{ free: number }>(
      "select data_free as free from information_schema.tables where table_name = 'gr`own'",
    );
    return Number(row?.free);
  };
  // The server deletes rows in the background.
  await expect.poll(free, { timeout: 30_000 }).toBeGreaterThan(8 * 1_048_576);
  await new NodeDatabases(server, new Changes()).giveBackRoom(owner, ['tester_sh_p']);
  expect(await free()).toBeLessThan(4 * 1_048_576);
  await ask(SECOND, 'drop table `gr``own`', 'tester_sh_p');
});

test('remote users must use TLS, local ones need not', async () => {
  await converge(account({ databases: [shop({ ...second, allowed_ips: ['198.51.100.7'] })] }));
  const users = await server.query<{ host: string; kind: string }>(
    "select Host as host, ssl_type as kind from mysql.user where User = 'tester_sh_p'",
  );
  expect(users.filter(({ kind }) => kind === 'ANY').map(({ host }) => host)).toEqual(['198.51.100.7']);
});

test('an account with too many connections is reduced to its share, limited to it, and later gets its own limits again', async () => {
  const names = ['tester_sh_p', 'tester_b', 'tester_c'];
  const spec = account({
    databases: names.map((db_name, at) => shop({ ...second, database_id: at + 1, db_name, allowed_ips: [] })),
  });
  await converge(spec);
  const [{ most: before } = { most: 0 }] = await server.query<{ most: number }>(
    'select @@max_connections as most',
  );
  await server.query('set global max_connections = 100');
  const open: Awaited<ReturnType<typeof connect>>[] = [];
  try {
    await connections.watch();
    for (let at = 0; at < 60; at += 1) open.push(await connect(names[at % 3]));
    expect(await connections.watch()).toEqual([spec.uid]);
    const left = async () =>
      (await Promise.all(open.map((one) => works(one, 'do 0')))).filter(Boolean).length;
    // A quarter of 100 is less than the minimum share.
    await expect.poll(left).toBe(30);
    await converge(spec);
    open.splice(0).map((one) => one.destroy());
    // A share of 30 among nine users, three of whom connect from here.
    let taken = 0;
    for (let at = 0; at < 30; at += 1) {
      try {
        open.push(await connect(names[at % 3]));
        taken += 1;
      } catch (error) {
        expect((error as Error).message).toMatch(/max_user_connections/);
      }
    }
    expect(taken).toBeLessThanOrEqual(9);
    // 600 s later, on a clock that runs a thousand times as fast.
    await expect.poll(() => connections.watch(), { timeout: 10_000 }).toEqual([spec.uid]);
    await converge(spec);
    open.push(...(await Promise.all(Array.from({ length: 20 }, () => connect()))));
  } finally {
    for (const one of open) one.destroy();
    await server.query('set global max_connections = ?', [before]);
    connections.close();
    await converge({
      ...spec,
      databases: spec.databases.map((one, at) => ({
        ...one,
        desired_state: at === 0 ? 'active' : 'absent',
      })),
    });
  }
});

test('checks connections with one statement; keeps the agent’s own open and reopens lost ones', async () => {
  const counting = new CountingServer(socketPath);
  const watched = new SharedConnections(counting, new NodeDatabases(counting, new Changes()), () =>
    performance.now(),
  );
  const own = async () => {
    const ids = await counting.hold();
    expect(ids.size).toBe(counting.holds);
    return [...ids].toSorted();
  };
  try {
    await watched.watch();
    const held = await own();
    counting.statements = 0;
    for (let look = 0; look < 10; look += 1) await watched.watch();
    expect(counting.statements).toBe(10);
    expect(await own()).toEqual(held);
    // Two of them: the check uses one of the others, or a new one.
    for (const id of held.slice(0, 2)) await server.query(`kill connection ${id}`);
    const open = async () => {
      await watched.watch().catch(() => []);
      counting.statements = 0;
      await watched.watch();
      return counting.statements;
    };
    await expect.poll(open).toBe(1);
    const again = await own();
    expect(again).not.toEqual(held);
    expect(again).toEqual(expect.arrayContaining(held.slice(2)));
  } finally {
    watched.close();
  }
});

test('a database that somebody else created is left alone and reported by name', async () => {
  await server.query('create database tester_theirs');
  const theirs = shop({ database_id: 9, db_name: 'tester_theirs' });
  await expect(converge(account({ databases: [theirs] }))).rejects.toMatchObject({
    reason: 'Conflict',
    concerns: [9],
  });
  await converge(account({ databases: [theirs], desired_state: 'absent' }));
  expect(await server.query("show databases like 'tester\\_theirs'")).toHaveLength(1);
  await server.query('drop database tester_theirs');
});

test('leaves nothing of removed databases', async () => {
  await converge(account({ desired_state: 'absent' }));
  expect(await server.query("show databases like 'tester\\_sh\\_p'")).toEqual([]);
  expect(await server.query("select 1 from mysql.user where User = 'tester_sh_p'")).toEqual([]);
  expect(await server.query("select 1 from mysql.db where User = 'tester_sh_p'")).toEqual([]);
  expect(await server.query('select 1 from innkeeper_agent.`databases` where uid = 20077')).toEqual([]);
});
