import { type Kysely, sql } from 'kysely';

/** What `to_days` gives for 1970-01-01. */
const TO_DAYS_OF_1970 = 719_528;

const table = `create table if not exists account_days (
    day int not null,
    scope_id bigint not null,
    slot smallint not null,
    created int not null,
    removed int not null,
    primary key (day, scope_id, slot)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/** Created accounts of each day, from those that still exist. A run that was cut short adds nothing twice. */
const fill = (scope: string, where: string) => `
  insert ignore into account_days (day, scope_id, slot, created, removed)
  select to_days(created_at) - ${TO_DAYS_OF_1970} as of_day, ${scope} as of_scope, 0, count(*), 0
  from accounts where ${where} group by of_day, of_scope`;

/** Created and removed accounts by day. The index that was for counting them is no longer needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  await sql.raw(table).execute(db);
  const { rows } = await sql`select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'accounts' and index_name = 'accounts_created' limit 1`.execute(
    db,
  );
  if (rows.length === 0) return;
  await sql.raw(fill('0', 'true')).execute(db);
  await sql.raw(fill('reseller_user_id', 'reseller_user_id is not null')).execute(db);
  await sql.raw('alter table accounts drop key accounts_created').execute(db);
}
