import { type Kysely, sql } from 'kysely';

const columns = [
  ['accounts', 'failing_since'],
  ['accounts', 'next_pass_at'],
  ['domains', 'ssl_failing_since'],
  ['domains', 'ssl_next_attempt_at'],
] as const;

/** Since when something fails, and when its server tries it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    // DDL commits by itself: a run that was cut short finds what it did.
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length > 0) continue;
    await sql.raw(`alter table ${table} add column ${column} datetime(6) null`).execute(db);
  }
}
