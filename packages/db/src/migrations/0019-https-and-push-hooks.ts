import { type Kysely, sql } from 'kysely';

const additions = [
  ['apps', 'sealed_push_secret', 'add column sealed_push_secret text null'],
  [
    'domains',
    'dns_next_look_at',
    `add column dns_next_look_at datetime(6) null default current_timestamp(6),
      add column dns_looked_at datetime(6) null,
      add column dns_looks smallint unsigned not null default 0,
      add column dns_found varchar(255) null,
      add column dns_error varchar(255) null,
      add key domains_dns_next_look (dns_next_look_at)`,
  ],
] as const;

/**
 * The sealed secret of an app's push hook; when the DNS of a domain without a certificate is looked up next, and what
 * the last look found. New rows are due at once, also those of the release before. Domains that are there get their
 * first look within a day, so that new ones do not wait for all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const [table, column, addition] of additions) {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table ${table} ${addition}`).execute(db);
  }
  await sql`update domains set dns_next_look_at =
    if(certificate_revision = 0, now(6) + interval floor(rand() * 86400) second, null)
    where dns_looked_at is null`.execute(db);
}
