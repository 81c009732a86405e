import type { AccountSpec, DatabaseSpec } from '@innkeeper/protocol';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasesDriver } from '../../src/drivers/databases/databases-driver.ts';
import { Changes } from '../../src/host/changes.ts';
import { DatabaseServer } from '../../src/host/database-server.ts';
import { NodeDatabases } from '../../src/host/databases.ts';
import type { Host } from '../../src/host/host.ts';
import { convergeDriver } from '../../src/reconciler/converge-driver.ts';
import { specOf } from '../specs.ts';

/** The driver of databases, on the server that the integration tests run on: MariaDB, or MySQL. */
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

/** Makes it true, sees that a second time changes nothing, and gives how many changes the first one took. */
async function converge(spec: AccountSpec): Promise<number> {
  const first = await pass(spec, new Changes());
  const second = new Changes();
  await pass(spec, second);
  expect(second.count).toBe(0);
  return first;
}

async function pass(spec: AccountSpec, changes: Changes): Promise<number> {
  const host = { databases: new NodeDatabases(server, changes) } as unknown as Host;
  await convergeDriver(databasesDriver, spec, host, { mayContinue: () => 'go', onChange: () => {} });
  return changes.count;
}

/** A statement as the database's user; its rows, or the server's words. */
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

test('a database is its user’s alone, and grants reach no name that only looks like it', async () => {
  expect(await converge(account())).toBeGreaterThan(0);
  expect(await ask(FIRST, 'create table t (id int)', 'tester_sh_p')).toMatchObject({ affectedRows: 0 });
  expect(await ask(FIRST, 'show tables', 'tester_shop')).toMatch(/^Access denied for user 'tester_sh_p'/);
  expect(await ask(FIRST, 'select * from mysql.user')).toMatch(/denied/);
  expect(await ask(FIRST, "select load_file('/etc/passwd') as text")).toEqual([{ text: null }]);
});

test('a new password is the only one, and other allowed addresses take the place of the old', async () => {
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

const second = { password: SECOND, password_revision: 2 };

test.each([
  ['a user that was dropped', 'drop user tester_sh_p@localhost'],
  ['a user of another place', "create user tester_sh_p@'203.0.113.9'"],
  ['a wider grant', 'grant select on *.* to tester_sh_p@localhost'],
  ['a right that is missing', 'revoke insert on `tester\\_sh\\_p`.* from tester_sh_p@localhost'],
  ['a database that was dropped', 'drop database tester_sh_p'],
])('%s is put right', async (_, statement) => {
  await converge(account({ databases: [shop(second)] }));
  await server.query(statement);
  expect(await converge(account({ databases: [shop(second)] }))).toBeGreaterThan(0);
});

test('a suspension locks its users and ends their connections, and takes no data', async () => {
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

test('a database that somebody else made is left alone, and named', async () => {
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

test('nothing is left of what was removed', async () => {
  await converge(account({ desired_state: 'absent' }));
  expect(await server.query("show databases like 'tester\\_sh\\_p'")).toEqual([]);
  expect(await server.query("select 1 from mysql.user where User = 'tester_sh_p'")).toEqual([]);
  expect(await server.query("select 1 from mysql.db where User = 'tester_sh_p'")).toEqual([]);
  expect(await server.query('select 1 from innkeeper_agent.`databases` where uid = 20077')).toEqual([]);
});
