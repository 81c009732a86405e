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
  if (options.migrated !== false) await migrate(db);
  return {
    db,
    url: url.href,
    drop: async () => {
      await db.destroy();
      await onServer(serverUrl, sql`drop database ${sql.id(name)}`);
    },
  };
}

async function onServer(url: string, statement: ReturnType<typeof sql>): Promise<void> {
  const db = connect(url);
  try {
    await statement.execute(db);
  } finally {
    await db.destroy();
  }
}
