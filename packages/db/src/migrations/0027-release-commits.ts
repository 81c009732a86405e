import { type Kysely, sql } from 'kysely';

/** The commit of a release that was cloned. Null: not known, or not of Git. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'app_releases' and column_name = 'commit_hash'`.execute(
    db,
  );
  if (rows.length > 0) return;
  await sql
    .raw(
      `alter table app_releases
        add column commit_hash varchar(64) null,
        add column commit_author varchar(100) null,
        add column commit_subject varchar(200) null`,
    )
    .execute(db);
}
