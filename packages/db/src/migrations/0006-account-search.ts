import { type Kysely, sql } from 'kysely';

/** What operators choose accounts by, oldest first; and how many accounts a package has, from the index alone. */
const indexes = [
  ['accounts_state', 'key accounts_state (state, id)'],
  ['accounts_package', 'key accounts_package (package_id, id)'],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of indexes) {
    // DDL commits by itself: a run that was cut short finds what it did.
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = 'accounts' and index_name = ${name} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table accounts add ${definition}`).execute(db);
  }
}
