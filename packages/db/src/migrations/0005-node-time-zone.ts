import { type Kysely, sql } from 'kysely';

/** By which a node's cron runs jobs, as it says with its next session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'nodes' and column_name = 'time_zone'`.execute(db);
  if (rows.length > 0) return;
  await sql
    .raw('alter table nodes add column time_zone varchar(64) character set ascii collate ascii_bin null')
    .execute(db);
}
