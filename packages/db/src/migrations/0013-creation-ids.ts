import { type Kysely, sql } from 'kysely';

/**
 * Which creation of an account a row is. Rows that are there get one that is derived from what never changes, so
 * that an older database, restored and migrated again, gives them the same. Empty: made by a release before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'accounts' and column_name = 'creation_id'`.execute(db);
  // DDL commits by itself: a run that was cut short finds what it did.
  if (rows.length === 0)
    await sql
      .raw(
        "alter table accounts add column creation_id varchar(32) character set ascii collate ascii_bin not null default ''",
      )
      .execute(db);
  await sql`
    update accounts set creation_id = left(sha2(concat(id, ':', created_at), 256), 32)
    where creation_id = ''`.execute(db);
}
