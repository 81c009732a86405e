import { randomBytes } from 'node:crypto';
import { connect, type Database, migrate } from '@innkeeper/db';
import { type Kysely, sql } from 'kysely';

export interface TestDatabase {
  db: Kysely<Database>;
  /** For a second pool, or another process. Contains a secret. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database with the newest schema on the server at INNKEEPER_TEST_MARIADB_URL, whose user may create
 * databases. Each test file creates one and calls `drop` at its end. `migrated: false` leaves it empty.
 */
export async function createTestDatabase(
  options: { migrated?: boolean; poolSize?: number } = {},
): Promise<TestDatabase> {
  const serverUrl = process.env.INNKEEPER_TEST_MARIADB_URL;
  if (!serverUrl)
    throw new Error(
      'INNKEEPER_TEST_MARIADB_URL is not set: run the integration tests with ./scripts/test, or set it to a server whose user may create databases.',
    );
  const name = `innkeeper_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, sql`create database ${sql.id(name)} character set utf8mb4`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = connect(url.href, { poolSize: options.poolSize ?? 40 });
  if (options.migrated !== false) await makeTables(db);
  return {
    db,
    url: url.href,
    drop: async () => {
      await db.destroy();
      await onServer(serverUrl, sql`drop database ${sql.id(name)}`);
    },
  };
}

/** The statements that make the tables of the newest schema, and their first rows. */
interface Schema {
  tables: string[];
  rows: [table: string, rows: Record<string, string | number>[]][];
}

/** As the migrations of this process's first database left it. */
let newest: Schema | undefined;

/** Runs the migrations once in a process. Later databases are copies, which takes a third of the CPU time. */
async function makeTables(db: Kysely<Database>): Promise<void> {
  if (newest === undefined) {
    await migrate(db);
    newest = await readSchema(db);
    return;
  }
  const { tables, rows } = newest;
  await db.connection().execute(async (connection) => {
    // A table may refer to one that comes later.
    await sql`set session foreign_key_checks = 0`.execute(connection);
    for (const table of tables) await sql.raw(table).execute(connection);
    await sql`set session foreign_key_checks = 1`.execute(connection);
    for (const [table, values] of rows)
      await connection
        .insertInto(table as never)
        .values(values as never)
        .execute();
  });
}

async function readSchema(db: Kysely<Database>): Promise<Schema> {
  const schema: Schema = { tables: [], rows: [] };
  const others = await sql`
    select trigger_name from information_schema.triggers where trigger_schema = database()
    union select routine_name from information_schema.routines where routine_schema = database()
    union select table_name from information_schema.views where table_schema = database()`.execute(db);
  if (others.rows.length > 0)
    throw new Error('Copies of the schema would lack its triggers, routines and views.');
  for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: true })) {
    const created = await sql<{ 'Create Table': string }>`show create table ${sql.table(name)}`.execute(db);
    schema.tables.push(created.rows[0]!['Create Table']);
    const { rows } = await sql<Record<string, string | number>>`select * from ${sql.table(name)}`.execute(db);
    if (rows.length > 0) schema.rows.push([name, rows]);
  }
  return schema;
}

async function onServer(url: string, statement: ReturnType<typeof sql>): Promise<void> {
  const db = connect(url);
  try {
    await statement.execute(db);
  } finally {
    await db.destroy();
  }
}
