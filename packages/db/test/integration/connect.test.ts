import { DatabaseUnreachableError } from '@innkeeper/domain';
import { createTestDatabase, type TestDatabase, waitUntil } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, inTransaction } from '../../src/index.ts';
import { runCompiled } from '../../src/run-compiled.ts';

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
  for (const inexact of [
    sql`select 9007199254740993 as id`,
    sql`select sum(x) as id from (select 9007199254740993 as x) as numbers`,
  ])
    await expect(inexact.execute(database.db)).rejects.toThrow(RangeError);
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

test('the error of an unreachable server names the server, not the password', async () => {
  const db = connect('mysql://someone:hunter2@127.0.0.1:1/nothing');
  const failure = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseUnreachableError);
  expect(String(failure)).toContain('127.0.0.1:1/nothing');
  expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('hunter2');
  await db.destroy();
});

test('the error of a refused password names only user and server', async () => {
  const url = new URL(database.url);
  url.password = 'hunter2';
  const db = connect(url.href);
  const failure = await sql`select 1`.execute(db).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/Access denied/);
  expect(String(failure)).not.toContain('hunter2');
  await db.destroy();
});

describe.runIf(process.env.INNKEEPER_TEST_DATABASE === 'mysql')('MySQL with caching_sha2_password', () => {
  const query = sql<{ plugin: string; cipher: string }>`
    select plugin, (select variable_value from performance_schema.session_status
      where variable_name = 'Ssl_cipher') as cipher
    from mysql.user where user = 'innkeeper'`;
  const answerOver = async (search: string) => {
    // From now on the server has no password in its cache, so the full authentication exchange runs.
    await sql`flush privileges`.execute(database.db);
    const url = new URL(database.url);
    url.search = search;
    const db = connect(url.href, { poolSize: 2 });
    try {
      return (await query.execute(db)).rows[0];
    } finally {
      await db.destroy();
    }
  };
  const authorityFile = async () => {
    const { rows } = await sql<{ file: string }>`select concat(@@datadir, @@ssl_ca) as file`.execute(
      database.db,
    );
    return rows[0]!.file;
  };

  test('connects over plain loopback, with the password encrypted for the server', async () => {
    expect(await answerOver('')).toEqual({ plugin: 'caching_sha2_password', cipher: '' });
  });

  test('connects over TLS to a server that the authority signed', async () => {
    const { plugin, cipher } = (await answerOver(`ca=${await authorityFile()}`))!;
    expect(plugin).toBe('caching_sha2_password');
    expect(cipher).not.toBe('');
  });

  test('does not send its password to a server that another authority signed', async () => {
    const keys = process.env.INNKEEPER_TEST_KEYS_DIR!;
    const failure = await answerOver(`ca=${keys}/ca.crt`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnreachableError);
    expect(String(failure)).toMatch(/certificate/);
  });
});

test.each([
  ['a statement', (db: TestDatabase['db']) => sql`select sleep(20)`.execute(db)],
  [
    'a statement of a transaction',
    (db: TestDatabase['db']) => inTransaction(db, (trx) => sql`select sleep(20)`.execute(trx)),
  ],
  ['a statement past the layers of Kysely', (db: TestDatabase['db']) => runCompiled(db, sleeping(db))],
])(
  '%s that loses its connection fails with DatabaseUnreachableError, and the next one works',
  async (_, run) => {
    const other = connect(database.url, { poolSize: 2 });
    try {
      await sql`select 1`.execute(other);
      const failure = run(other).then(
        () => 'answered',
        (error: unknown) => error,
      );
      const id = await waitUntil('the statement', async () => {
        const { rows } = await sql<{ id: number }>`
        select id from information_schema.processlist where info like 'select sleep(20)%'`.execute(
          database.db,
        );
        return rows[0]?.id;
      });
      await sql`kill connection ${sql.lit(id)}`.execute(database.db);
      expect(await failure).toBeInstanceOf(DatabaseUnreachableError);
      expect((await sql`select 1 as one`.execute(other)).rows).toEqual([{ one: 1 }]);
    } finally {
      await other.destroy();
    }
  },
);

const sleeping = (db: TestDatabase['db']) => sql`select sleep(20)`.compile(db);
