import { type Kysely, sql } from 'kysely';

const table = `create table if not exists former_accounts (
    id bigint not null,
    username varchar(32) character set ascii collate ascii_bin not null,
    user_id bigint not null,
    removed_at datetime(6) not null,
    primary key (id),
    key former_accounts_username (username, id),
    key former_accounts_user (user_id),
    key former_accounts_removed (removed_at)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/**
 * The audit log shows and finds accounts by name after they are gone. Accounts that are gone already get the name of the
 * entry of their creation; the id of their user is not known any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(table).execute(db);
  await sql`insert ignore into former_accounts (id, username, user_id, removed_at)
    select audit_log.account_id, json_unquote(json_extract(audit_log.details, '$.username')), 0, audit_log.at
    from audit_log left join accounts on accounts.id = audit_log.account_id
    where audit_log.action = 'account.create' and audit_log.account_id is not null and accounts.id is null
      and json_extract(audit_log.details, '$.username') is not null`.execute(db);
}
