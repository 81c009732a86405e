import { type Kysely, sql } from 'kysely';

/**
 * Why an account is suspended. The index `accounts_name` of migration 23 goes, because no query uses it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  const { rows: columns } = await sql`select 1 from information_schema.columns
    where table_schema = database() and table_name = 'accounts' and column_name = 'suspension_reason' limit 1`.execute(
    db,
  );
  if (columns.length === 0)
    await sql.raw('alter table accounts add column suspension_reason varchar(255) null').execute(db);
  const { rows: keys } = await sql`select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'accounts' and index_name = 'accounts_name' limit 1`.execute(
    db,
  );
  if (keys.length > 0) await sql.raw('alter table accounts drop key accounts_name').execute(db);
}
