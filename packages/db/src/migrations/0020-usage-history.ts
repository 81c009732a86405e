import { type Kysely, sql } from 'kysely';

const used = `
    sent_bytes bigint unsigned not null,
    requests int unsigned not null,
    errors int unsigned not null,`;

/**
 * The slot comes before the account: an interval is written at one place of the table and deleted from one place. The
 * price is one look-up for each slot of an account, instead of a range.
 */
const tables = [
  `create table if not exists account_usage (
    step smallint unsigned not null,
    slot int unsigned not null,
    account_id bigint not null,
    measured_s int unsigned not null,
    cpu_ms bigint unsigned not null,
    memory_mb int unsigned not null,
    disk_mb int unsigned null,${used}
    primary key (step, slot, account_id)
  )`,
  `create table if not exists server_usage (
    step smallint unsigned not null,
    slot int unsigned not null,
    node_id bigint not null,
    measured_s int unsigned not null,
    cpu_busy_ms bigint unsigned not null,
    cpu_total_ms bigint unsigned not null,
    memory_mb int unsigned not null,
    memory_total_mb int unsigned not null,
    disk_mb int unsigned not null,
    disk_total_mb int unsigned not null,
    load_percent int unsigned not null,
    accounts int unsigned not null,
    running_accounts int unsigned not null,${used}
    primary key (step, slot, node_id)
  )`,
  `create table if not exists site_usage (
    slot int unsigned not null,
    domain_id bigint not null,${used}
    primary key (slot, domain_id)
  )`,
  `create table if not exists usage_parts (
    slot int unsigned not null,
    node_id bigint not null,
    part smallint unsigned not null,
    primary key (slot, node_id, part)
  )`,
];

const indexes = [
  ['accounts_created', 'created_at, reseller_user_id'],
  ['accounts_outcome', 'outcome, id'],
] as const;

/**
 * What accounts, servers and sites used, by intervals of 5 minutes, hours and days; which parts of an interval were
 * stored; and indexes of new and of failing accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const table of tables) await sql.raw(table).execute(db);
  for (const [name, columns] of indexes) {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = 'accounts' and index_name = ${name} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table accounts add key ${name} (${columns})`).execute(db);
  }
}
