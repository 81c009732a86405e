import { type Kysely, sql } from 'kysely';

/**
 * Brands of the installation and of resellers; the mail server of the installation; mails that wait to be sent; links
 * that set a password. No column contains a link or its token: only the token's hash is stored. `if not exists`, because
 * DDL commits by itself: a run that was cut short is simply run again.
 */
const tables = [
  `create table if not exists brands (
    scope_id bigint not null,
    name varchar(60) not null,
    color char(7) character set ascii collate ascii_bin null,
    support_url varchar(500) null,
    host varchar(253) character set ascii collate ascii_bin null,
    logo_hash char(32) character set ascii collate ascii_bin null,
    logo_type varchar(16) character set ascii collate ascii_bin null,
    logo mediumblob null,
    updated_at datetime(6) not null,
    primary key (scope_id),
    unique key brands_host (host),
    key brands_logo_hash (logo_hash)
  )`,
  `create table if not exists mail_settings (
    id tinyint not null,
    host varchar(253) character set ascii collate ascii_bin not null,
    port smallint unsigned not null,
    encryption varchar(16) character set ascii collate ascii_bin not null,
    username varchar(255) null,
    sealed_password text null,
    sender_name varchar(100) not null,
    sender_address varchar(255) not null,
    welcomes_api_accounts tinyint not null default 0,
    updated_at datetime(6) not null,
    primary key (id)
  )`,
  `create table if not exists outbox_mails (
    id bigint not null auto_increment,
    kind varchar(32) character set ascii collate ascii_bin not null,
    typed_name varchar(16) character set ascii collate ascii_bin null,
    user_id bigint null,
    state varchar(16) character set ascii collate ascii_bin not null,
    attempts int not null default 0,
    next_attempt_at datetime(6) not null,
    expires_at datetime(6) not null,
    outcome varchar(255) null,
    created_at datetime(6) not null,
    primary key (id),
    key outbox_mails_due (state, next_attempt_at),
    key outbox_mails_expires (expires_at)
  )`,
  `create table if not exists password_links (
    token_hash binary(32) not null,
    user_id bigint not null,
    user_hash binary(32) not null,
    expires_at datetime(6) not null,
    created_at datetime(6) not null,
    primary key (token_hash),
    key password_links_user (user_id),
    key password_links_expires (expires_at)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql.raw(`${table} engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`).execute(db);
}
