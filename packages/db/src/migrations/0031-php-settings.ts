import { type Kysely, sql } from 'kysely';

const limits = `create table if not exists php_limits (
    id tinyint not null,
    memory_limit_mb int not null,
    upload_mb int not null,
    execution_s int not null,
    input_vars int not null,
    display_errors tinyint not null,
    updated_at datetime(3) not null,
    primary key (id)
  ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`;

/** Settings of PHP for each site, and what the operator allows. Specs of the domains that are there stay the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(limits).execute(db);
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'domains' and column_name = 'php_cache_revision'`.execute(
    db,
  );
  if (rows.length > 0) return;
  await sql
    .raw(
      `alter table domains
        add column php_memory_limit_mb int,
        add column php_upload_mb int,
        add column php_execution_s int,
        add column php_input_vars int,
        add column php_display_errors tinyint not null default 0,
        add column php_time_zone varchar(64) character set ascii collate ascii_bin,
        add column php_cache_revision int unsigned not null default 0`,
    )
    .execute(db);
}
