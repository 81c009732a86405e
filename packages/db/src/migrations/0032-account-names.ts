import { type Kysely, sql } from 'kysely';

/** The search reads contact names from an index, because the rows of accounts are much larger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'accounts' and index_name = 'accounts_name'`.execute(db);
  if (rows.length > 0) return;
  await sql.raw('alter table accounts add index accounts_name (name)').execute(db);
}
