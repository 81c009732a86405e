import { type Kysely, sql } from 'kysely';

/** A code of the authenticator is refused since then; when a session last gave its proof; when a certificate was issued. */
const columns = [
  ['users', 'totp_locked_at'],
  ['sessions', 'proved_at'],
  ['domains', 'ssl_issued_at'],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const [table, column] of columns) {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length === 0)
      await sql.raw(`alter table ${table} add column ${column} datetime(6) null`).execute(db);
  }
  // By name, whether or not a user has it: noting a failure takes as long for a name that nobody has.
  await sql`create table if not exists sign_in_failures (
    username varchar(16) character set ascii collate ascii_bin not null,
    kind varchar(16) character set ascii collate ascii_bin not null,
    address varchar(64) character set ascii collate ascii_bin not null,
    tries int not null,
    first_at datetime(6) not null,
    last_at datetime(6) not null,
    primary key (username, kind, address),
    key sign_in_failures_last (last_at)
  )`.execute(db);
}
