import { type Kysely, sql } from 'kysely';

/**
 * Apps, databases, cron jobs, certificates, sessions, limits shared by instances. New columns are null or
 * have a default: the release before goes on writing rows.
 */
const tables = [
  `create table if not exists app_env_vars (
    id bigint not null auto_increment,
    account_id bigint not null,
    app_id bigint not null,
    name varchar(128) character set ascii collate ascii_bin not null,
    value text null,
    sealed_value text character set ascii collate ascii_bin null,
    primary key (id),
    unique key app_env_vars_name (app_id, name),
    key app_env_vars_account (account_id, app_id),
    constraint app_env_vars_account_id foreign key (account_id) references accounts (id)
  )`,
  `create table if not exists app_releases (
    id bigint not null auto_increment,
    account_id bigint not null,
    app_id bigint not null,
    source varchar(16) character set ascii collate ascii_bin not null,
    state varchar(16) character set ascii collate ascii_bin not null,
    archive_sha256 char(64) character set ascii collate ascii_bin null,
    archive_bytes bigint null,
    created_at datetime(6) not null,
    updated_at datetime(6) not null,
    primary key (id),
    key app_releases_account (account_id, app_id, id),
    key app_releases_state (state, id),
    constraint app_releases_account_id foreign key (account_id) references accounts (id)
  )`,
  `create table if not exists release_archive_chunks (
    release_id bigint not null,
    sequence int not null,
    account_id bigint not null,
    data mediumblob not null,
    primary key (release_id, sequence),
    key release_archive_chunks_account (account_id)
  )`,
  `create table if not exists database_allowed_ips (
    id bigint not null auto_increment,
    account_id bigint not null,
    database_id bigint not null,
    ip varchar(45) character set ascii collate ascii_bin not null,
    created_at datetime(6) not null,
    primary key (id),
    unique key database_allowed_ips_ip (database_id, ip),
    key database_allowed_ips_account (account_id, database_id),
    constraint database_allowed_ips_account_id foreign key (account_id) references accounts (id)
  )`,
  `create table if not exists bandwidth_monthly (
    account_id bigint not null,
    month char(7) character set ascii collate ascii_bin not null,
    used_mb bigint not null,
    updated_at datetime(6) not null,
    primary key (account_id, month),
    constraint bandwidth_monthly_account_id foreign key (account_id) references accounts (id)
  )`,
  `create table if not exists sessions (
    id bigint not null auto_increment,
    token_hash binary(32) not null,
    user_id bigint not null,
    method varchar(16) character set ascii collate ascii_bin not null,
    address varchar(64) not null,
    user_agent varchar(255) not null,
    created_at datetime(6) not null,
    last_seen_at datetime(6) not null,
    expires_at datetime(6) not null,
    primary key (id),
    unique key sessions_token_hash (token_hash),
    key sessions_user (user_id, id),
    key sessions_expires (expires_at)
  )`,
  `create table if not exists recovery_codes (
    id bigint not null auto_increment,
    user_id bigint not null,
    code_hash binary(32) not null,
    used_at datetime(6) null,
    created_at datetime(6) not null,
    primary key (id),
    unique key recovery_codes_code_hash (user_id, code_hash)
  )`,
  `create table if not exists rate_limits (
    bucket varchar(100) character set ascii collate ascii_bin not null,
    hits int not null,
    resets_at bigint not null,
    primary key (bucket),
    key rate_limits_resets_at (resets_at)
  )`,
  `create table if not exists idempotency_keys (
    token_id bigint not null,
    key_hash binary(32) not null,
    claimed_by char(36) character set ascii collate ascii_bin not null,
    leased_until datetime(6) not null,
    request varchar(255) character set ascii collate ascii_bin not null,
    written mediumtext character set ascii collate ascii_bin null,
    status smallint null,
    body mediumtext character set ascii collate ascii_bin null,
    created_at datetime(6) not null,
    expires_at datetime(6) not null,
    primary key (token_id, key_hash),
    key idempotency_keys_expires (expires_at)
  )`,
];

const columns: readonly (readonly [table: string, definitions: readonly string[]])[] = [
  [
    'users',
    [
      'totp_sealed_secret varchar(255) character set ascii collate ascii_bin null',
      'totp_confirmed_at datetime(6) null',
      'totp_last_step bigint not null default 0',
    ],
  ],
  ['nodes', ['node_versions varchar(500) character set ascii collate ascii_bin null']],
  [
    'domains',
    [
      'certificate_revision int not null default 0',
      'certificate_email varchar(255) null',
      "ssl_status varchar(16) character set ascii collate ascii_bin not null default 'none'",
      'ssl_issuer varchar(255) null',
      'ssl_expires_at datetime(6) null',
      'ssl_error varchar(2000) null',
    ],
  ],
  [
    'apps',
    [
      "runtime varchar(16) character set ascii collate ascii_bin not null default 'static'",
      "installer varchar(16) character set ascii collate ascii_bin not null default 'starter'",
      "state varchar(16) character set ascii collate ascii_bin not null default 'running'",
      'status_reason text null',
      'domain_id bigint null',
      'database_id bigint null',
      'node_version varchar(8) character set ascii collate ascii_bin null',
      'start_command varchar(1000) null',
      'release_id bigint null',
      'served_release_id bigint null',
      'git_repository varchar(500) null',
      'git_branch varchar(255) null',
      'sealed_git_deploy_key text character set ascii collate ascii_bin null',
    ],
  ],
  [
    'databases',
    [
      'db_name varchar(64) character set ascii collate ascii_bin null',
      'sealed_password varchar(500) character set ascii collate ascii_bin null',
      'password_revision int not null default 1',
      "state varchar(16) character set ascii collate ascii_bin not null default 'active'",
      "status varchar(16) character set ascii collate ascii_bin not null default 'pending'",
      'status_reason varchar(2000) null',
      'app_id bigint null',
    ],
  ],
  [
    'cron_jobs',
    [
      'schedule varchar(255) character set ascii collate ascii_bin null',
      'command varchar(2000) null',
      'enabled tinyint not null default 1',
    ],
  ],
];

const indexes: readonly (readonly [table: string, name: string, definition: string])[] = [
  ['databases', 'databases_db_name', 'unique key databases_db_name (db_name)'],
  ['apps', 'apps_domain', 'unique key apps_domain (domain_id)'],
  ['apps', 'apps_status', 'key apps_status (status, state, id)'],
  ['audit_log', 'audit_log_at', 'key audit_log_at (at)'],
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql.raw(`${table} engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`).execute(db);
  for (const [table, definitions] of columns) {
    const present = await columnsOf(db, table);
    const missing = definitions.filter((definition) => !present.has(definition.split(' ')[0] ?? ''));
    if (missing.length > 0)
      await sql
        .raw(`alter table \`${table}\` ${missing.map((definition) => `add column ${definition}`).join(', ')}`)
        .execute(db);
  }
  for (const [table, name, definition] of indexes)
    if (!(await hasIndex(db, table, name)))
      await sql.raw(`alter table \`${table}\` add ${definition}`).execute(db);
}

/** DDL commits by itself: a run that was cut short finds what it did. */
async function columnsOf(db: Kysely<unknown>, table: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = database() and table_name = ${table}`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function hasIndex(db: Kysely<unknown>, table: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name} limit 1`.execute(db);
  return rows.length > 0;
}
