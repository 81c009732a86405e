import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { recount } from './queries/record-counts.ts';
import type { Database } from './schema/index.ts';

/** Timeout in seconds for the lock of another run. */
const lockWaitSeconds = 600;

/**
 * Migrates the database to the newest schema, corrects its counts, and returns the names of the migrations that ran. Of
 * two concurrent runs, the second waits and then has nothing to do. The lock is a row lock on a separate connection,
 * because DDL commits the transaction that contains it. The lock ends with the process that holds it.
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  return db.connection().execute(async (holder) => {
    await sql`set session innodb_lock_wait_timeout = ${sql.lit(lockWaitSeconds)}`.execute(holder);
    try {
      await sql`create table if not exists migration_lock (id tinyint not null, primary key (id)) engine = InnoDB`.execute(
        holder,
      );
      await sql`insert ignore into migration_lock (id) values (1)`.execute(holder);
      return await holder.transaction().execute(async (lock) => {
        await sql`select id from migration_lock where id = 1 for update`.execute(lock);
        const ran = await migrateToLatest(db);
        await recount(db);
        return ran;
      });
    } finally {
      await sql`set session innodb_lock_wait_timeout = 5`.execute(holder);
    }
  });
}

async function migrateToLatest(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
