import { type Kysely, sql } from 'kysely';

/**
 * What the owner of a site can set. Domains that are there keep what they do: HTTP is redirected to HTTPS, and nothing
 * else is set. Their specs stay the same, so no generation is raised.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'domains' and column_name = 'alias_of'`.execute(db);
  if (rows.length > 0) return;
  await sql
    .raw(
      `alter table domains
        add column alias_of bigint unsigned,
        add column https_redirect tinyint not null default 1,
        add column redirect_url varchar(1000) character set ascii collate ascii_bin,
        add column redirect_status smallint not null default 301,
        add column redirect_keeps_path tinyint not null default 0,
        add column document_root varchar(200) character set ascii collate ascii_bin,
        add column password_folder varchar(200) character set ascii collate ascii_bin,
        add column password_user varchar(64) character set ascii collate ascii_bin,
        add column password_hash varchar(200) character set ascii collate ascii_bin`,
    )
    .execute(db);
}
