import { type Kysely, sql } from 'kysely';

const tables = [
  `create table if not exists bulk_changes (
    id bigint not null auto_increment,
    action varchar(64) character set ascii collate ascii_bin not null,
    subject varchar(64) character set ascii collate ascii_bin not null,
    input text not null,
    user_id bigint,
    role varchar(16) character set ascii collate ascii_bin not null,
    address varchar(64) character set ascii collate ascii_bin not null,
    request_id varchar(64) not null,
    total int unsigned not null,
    leased_until datetime(6),
    created_at datetime(6) not null,
    finished_at datetime(6),
    primary key (id),
    key bulk_changes_finished (finished_at, id),
    key bulk_changes_subject (subject, finished_at),
    key bulk_changes_user (user_id, id)
  )`,
  `create table if not exists bulk_change_accounts (
    bulk_change_id bigint not null,
    account_id bigint not null,
    state varchar(16) character set ascii collate ascii_bin not null default 'waiting',
    failures smallint unsigned not null default 0,
    message varchar(500),
    primary key (bulk_change_id, account_id),
    key bulk_change_accounts_account (account_id),
    key bulk_change_accounts_state (bulk_change_id, state, account_id)
  )`,
];

const additions = [
  ['accounts', 'suspended_with_reseller', 'add column suspended_with_reseller tinyint not null default 0'],
] as const;

const keys = [
  ['accounts_name', 'key accounts_name (name)'],
  ['accounts_reseller_username', 'key accounts_reseller_username (reseller_user_id, username)'],
] as const;

/**
 * Changes of many accounts that run in the background; which accounts are suspended together with their reseller; and
 * what the list of accounts searches and sorts by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) await sql.raw(table).execute(db);
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const [table, column, addition] of additions) {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table ${table} ${addition}`).execute(db);
  }
  for (const [name, key] of keys) {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = 'accounts' and index_name = ${name} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table accounts add ${key}`).execute(db);
  }
}
