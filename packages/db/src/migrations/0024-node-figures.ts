import { type Kysely, sql } from 'kysely';

/** The figures of a node's last heartbeat, for the control plane's metrics. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'nodes' and column_name = 'figures'`.execute(db);
  if (rows.length > 0) return;
  await sql.raw('alter table nodes add column figures text null').execute(db);
}
