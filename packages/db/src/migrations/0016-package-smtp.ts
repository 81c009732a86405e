import { type Kysely, sql } from 'kysely';

/** Whether accounts of a package may connect to port 25 of other servers. Packages that are there keep it closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'packages' and column_name = 'smtp_port_25'`.execute(db);
  if (rows.length > 0) return;
  await sql.raw('alter table packages add column smtp_port_25 tinyint not null default 0').execute(db);
}
