import { type Kysely, sql } from 'kysely';

const table = `create table if not exists ftp_logins (
    id bigint not null auto_increment primary key,
    account_id bigint not null,
    name varchar(32) character set ascii collate ascii_bin not null,
    folder varchar(200) character set ascii collate ascii_bin not null,
    password_hash varchar(128) character set ascii collate ascii_bin null,
    public_keys text character set ascii collate ascii_bin not null,
    created_at datetime(6) not null,
    updated_at datetime(6) not null,
    unique key ftp_logins_name (name),
    key ftp_logins_account (account_id),
    constraint ftp_logins_account_id foreign key (account_id) references accounts (id)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/**
 * FTP and SFTP logins, their number as a limit of packages, and what a server shows of itself to those who log in: the
 * fingerprints of its SSH host key and of its certificate for FTP. Null: not reported.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(table).execute(db);
  if (!(await hasColumn(db, 'packages', 'max_ftp_logins')))
    await sql.raw('alter table packages add column max_ftp_logins int not null default 5').execute(db);
  if (!(await hasColumn(db, 'nodes', 'ftp_fingerprint')))
    await sql
      .raw(
        `alter table nodes
          add column ssh_fingerprint varchar(64) character set ascii collate ascii_bin null,
          add column ftp_fingerprint varchar(95) character set ascii collate ascii_bin null`,
      )
      .execute(db);
}

async function hasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column}`.execute(db);
  return rows.length > 0;
}
