import { type Kysely, sql } from 'kysely';

/** Of the PHP that a node's sites run on, as it says with its next session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'nodes' and column_name = 'php_version'`.execute(db);
  if (rows.length > 0) return;
  await sql
    .raw('alter table nodes add column php_version varchar(8) character set ascii collate ascii_bin null')
    .execute(db);
}
