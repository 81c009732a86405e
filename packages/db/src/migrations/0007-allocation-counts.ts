import { type Kysely, sql } from 'kysely';

/** What the counted accounts may take. Filled by the recount that ends every `migrate`. */
const columns = ['disk_mb', 'ram_mb'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = database() and table_name = 'record_counts'`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  for (const column of columns)
    if (!present.has(column))
      await sql.raw(`alter table record_counts add column ${column} bigint not null default 0`).execute(db);
}
