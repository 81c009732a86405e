import { type Kysely, sql } from 'kysely';

/** Relays by server; 0: of the installation. `sealed_password`: only with a username. */
const relays = `create table if not exists mail_relays (
    node_id bigint not null,
    host varchar(253) character set ascii collate ascii_bin not null,
    port int not null,
    encryption varchar(16) character set ascii collate ascii_bin not null,
    username varchar(255),
    sealed_password varchar(1000) character set ascii collate ascii_bin,
    sender_domain varchar(253) character set ascii collate ascii_bin,
    updated_at datetime(3) not null,
    primary key (node_id)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/** What servers last reported of the mail of their accounts. Hours and days by their number since 1970, in UTC. */
const counts = `create table if not exists account_mail (
    account_id bigint not null,
    hour int unsigned not null,
    hour_sent int unsigned not null,
    hour_refused int unsigned not null,
    day int unsigned not null,
    day_sent int unsigned not null,
    day_refused int unsigned not null,
    queued int unsigned not null,
    reported_at datetime(3) not null,
    primary key (account_id),
    constraint account_mail_account_id foreign key (account_id) references accounts (id)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/**
 * Mail that accounts send. Packages that are there keep 0: their accounts send none, and their specs stay the same.
 * Settings of servers begin with generation 1, so that each agent asks for them once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(relays).execute(db);
  await sql.raw(counts).execute(db);
  await addColumns(db, 'packages', 'mail_per_hour', [
    'mail_per_hour int unsigned not null default 0',
    'mail_per_day int unsigned not null default 0',
  ]);
  await addColumns(db, 'nodes', 'settings_generation', [
    'settings_generation bigint not null default 1',
    'settings_observed bigint not null default 0',
    "settings_problem varchar(500) not null default ''",
  ]);
}

async function addColumns(
  db: Kysely<unknown>,
  table: 'packages' | 'nodes',
  first: string,
  columns: readonly string[],
): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${first}`.execute(db);
  if (rows.length > 0) return;
  await sql
    .raw(`alter table ${table} ${columns.map((column) => `add column ${column}`).join(', ')}`)
    .execute(db);
}
