import { type Kysely, sql } from 'kysely';

const columns = [
  ['users', 'language', 'varchar(8) character set ascii collate ascii_bin null'],
  ['outbox_mails', 'language', 'varchar(8) character set ascii collate ascii_bin null'],
  ['api_tokens', 'expires_at', 'datetime(6) null'],
  ['bulk_changes', 'left_out', 'varchar(500) null'],
] as const;

/**
 * The language that a user reads in the panel, and that of a mail; when a token stops working; why what should follow a
 * bulk change was left out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, type] of columns) {
    // DDL commits by itself: a run that was cut short finds what it did.
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length > 0) continue;
    await sql.raw(`alter table ${table} add column ${column} ${type}`).execute(db);
  }
}
