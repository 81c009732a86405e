import { type Kysely, sql } from 'kysely';

const additions = [
  [
    'users',
    'disabled_at',
    `add column disabled_at datetime(6) null,
      add column removed_at datetime(6) null,
      add column invited_at datetime(6) null`,
  ],
  [
    'sessions',
    'operator_user_id',
    'add column operator_user_id bigint null, add column operator_session_id bigint null',
  ],
  ['audit_log', 'as_user_id', 'add column as_user_id bigint null'],
] as const;

/**
 * Staff can be disabled, removed and invited. A session of a customer names the operator who is logged in as the
 * customer, and the operator's own session. An audit row names the customer that the operator acted as.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const [table, column, addition] of additions) {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table ${table} ${addition}`).execute(db);
  }
}
