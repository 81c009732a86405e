import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, DatabaseUnreachableError } from '../../src/index.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

test('big integers and decimals arrive as numbers, times as UTC to the millisecond', async () => {
  const { rows } =
    await sql`select 9007199254740991 as big, sum(x) as total, cast('2026-11-21 00:37:37.123456' as datetime(6)) as at
    from (select 3 as x union all select 4) as numbers`.execute(database.db);
  expect(rows).toEqual([
    { big: Number.MAX_SAFE_INTEGER, total: 7, at: new Date('2026-11-21T00:37:37.123Z') },
  ]);
});

test('an id that a number cannot hold fails the query instead of naming another row', async () => {
  await expect(sql`select 9007199254740993 as id`.execute(database.db)).rejects.toThrow(RangeError);
  expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
});

test('the session is set up before the first statement of every connection', async () => {
  const { rows } =
    await sql`select @@session.sql_mode as mode, @@session.time_zone as zone, @@session.innodb_lock_wait_timeout as patience`.execute(
      database.db,
    );
  expect(rows).toEqual([{ mode: expect.stringContaining('STRICT_ALL_TABLES'), zone: '+00:00', patience: 5 }]);
});

test('a value is never read as SQL', async () => {
  const nasty = `\\' or 1=1 -- \u0000 "`;
  expect((await sql`select ${nasty} as echo`.execute(database.db)).rows).toEqual([{ echo: nasty }]);
  await expect(sql`select 1; select 2`.execute(database.db)).rejects.toThrow(/syntax/);
});

test('a server that is not there is named, and the password is not', async () => {
  const db = connect('mysql://someone:hunter2@127.0.0.1:1/nothing');
  const failure = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseUnreachableError);
  expect(String(failure)).toContain('127.0.0.1:1/nothing');
  expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('hunter2');
  await db.destroy();
});

test('a refused password is named by user and server alone', async () => {
  const url = new URL(database.url);
  url.password = 'hunter2';
  const db = connect(url.href);
  const failure = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/Access denied/);
  expect(String(failure)).not.toContain('hunter2');
  await db.destroy();
});
