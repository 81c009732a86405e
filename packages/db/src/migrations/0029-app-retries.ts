import { type Kysely, sql } from 'kysely';

/** How often somebody wanted a failed app tried again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'apps' and column_name = 'retries'`.execute(db);
  if (rows.length > 0) return;
  await sql.raw('alter table apps add column retries smallint unsigned not null default 0').execute(db);
}
