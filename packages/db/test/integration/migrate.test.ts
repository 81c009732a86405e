import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, migrate } from '../../src/index.ts';

/** The files of the migrations: one that is not in the list of `migrations/index.ts` fails these tests. */
const every = readdirSync(join(import.meta.dirname, '../../src/migrations'))
  .filter((name) => /^\d{4}-/.test(name))
  .map((name) => name.replace(/\.ts$/, ''))
  .sort();
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterEach(() => database.drop());

async function tableNames(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database() order by table_name`.execute(database.db);
  return rows.map((row) => row.name);
}

test('an empty database gets every table, and a second run finds nothing to do', async () => {
  expect(await migrate(database.db)).toEqual(every);
  expect(await tableNames()).toContain('accounts');
  expect(await migrate(database.db)).toEqual([]);
});

test('of concurrent migrations one does the work and all succeed', async () => {
  const other = connect(database.url);
  const ran = await Promise.all([migrate(database.db), migrate(other), migrate(database.db)]);
  expect(ran.flat()).toEqual(every);
  await other.destroy();
});

test('an interrupted run is completed by the next', async () => {
  await migrate(database.db);
  for (const table of ['audit_log', 'usage_snapshots', 'cron_jobs', 'schema_migrations'])
    await sql`drop table ${sql.id(table)}`.execute(database.db);
  expect(await migrate(database.db)).toEqual(every);
  expect(await tableNames()).toEqual(expect.arrayContaining(['audit_log', 'usage_snapshots', 'cron_jobs']));
});

test('every table has a primary key, uses InnoDB and utf8mb4', async () => {
  await migrate(database.db);
  const { rows } = await sql`select t.table_name from information_schema.tables t
    left join information_schema.table_constraints c
      on c.table_schema = t.table_schema and c.table_name = t.table_name and c.constraint_type = 'PRIMARY KEY'
    where t.table_schema = database()
      and (c.constraint_name is null or t.engine <> 'InnoDB' or t.table_collation not like 'utf8mb4%')`.execute(
    database.db,
  );
  expect(rows).toEqual([]);
});

test('every table with an account_id has an index on it, except the history, which is read by slot, and no foreign key cascades', async () => {
  await migrate(database.db);
  const { rows: unindexed } = await sql`select c.table_name from information_schema.columns c
    left join information_schema.statistics s on s.table_schema = c.table_schema and s.table_name = c.table_name
      and s.column_name = 'account_id' and s.seq_in_index = 1
    where c.table_schema = database() and c.column_name = 'account_id' and s.index_name is null
      and c.table_name <> 'account_usage'`.execute(database.db);
  expect(unindexed).toEqual([]);
  const { rows: cascading } = await sql`select constraint_name from information_schema.referential_constraints
    where constraint_schema = database() and (delete_rule in ('CASCADE', 'SET NULL') or update_rule in ('CASCADE', 'SET NULL'))`.execute(
    database.db,
  );
  expect(cascading).toEqual([]);
});

test('names are compared byte by byte', async () => {
  await migrate(database.db);
  const insert = (name: string) =>
    sql`insert into staff_emails (email_lower, user_id) values (${name}, 1)`.execute(database.db);
  await insert('jose@example.com');
  await insert('josé@example.com');
  await expect(insert('jose@example.com')).rejects.toThrow(/Duplicate/);
});

test('the days of accounts start with the accounts that exist, once, though the first try was cut short', async () => {
  await migrate(database.db);
  const { db } = database;
  // The columns that this and later migrations and the recount read, without the tables that they refer to.
  await sql`create table earlier (key accounts_created (created_at, reseller_user_id)) as
    select id, name, created_at, reseller_user_id, node_id, package_id, disk_limit_mb, ram_limit_mb from accounts`.execute(
    db,
  );
  await sql`rename table accounts to later, earlier to accounts`.execute(db);
  await sql`delete from schema_migrations where name >= '0028-account-days'`.execute(db);
  await sql`insert into accounts values (1, '', '2026-11-23 23:59:59', null, 1, 1, 1, 1),
    (2, '', '2026-11-24 00:00:00', 7, 1, 1, 1, 1), (3, '', '2026-11-24 10:00:00', null, 1, 1, 1, 1)`.execute(
    db,
  );
  const read = async () =>
    (await sql`select day, scope_id, created, removed from account_days order by day, scope_id`.execute(db))
      .rows;
  // What a first try has filled before it was cut short.
  await sql`insert into account_days values (20780, 0, 0, 1, 0)`.execute(db);
  expect(await migrate(db)).toContain('0028-account-days');
  const day = { removed: 0 };
  expect(await read()).toEqual([
    { ...day, day: 20_780, scope_id: 0, created: 1 },
    { ...day, day: 20_781, scope_id: 0, created: 2 },
    { ...day, day: 20_781, scope_id: 7, created: 1 },
  ]);
});

test('accounts that are gone already get the name of their creation’s entry', async () => {
  await migrate(database.db);
  const { db } = database;
  await sql`drop table former_accounts`.execute(db);
  await sql`delete from schema_migrations where name >= '0033-former-accounts'`.execute(db);
  const created = (id: number, details: string) => sql`insert into audit_log
    (at, request_id, user_id, token_id, address, action, account_id, target, details)
    values ('2026-11-01', 'r', 7, null, 'innctl', 'account.create', ${id}, ${`account:${id}`}, ${details})`;
  await created(900_001, '{"generation":1,"username":"gone"}').execute(db);
  await created(900_002, '{"generation":1}').execute(db);
  expect(await migrate(db)).toContain('0033-former-accounts');
  const { rows } = await sql`select id, username, user_id from former_accounts where id > 900000`.execute(db);
  expect(rows).toEqual([{ id: 900_001, username: 'gone', user_id: 0 }]);
});
