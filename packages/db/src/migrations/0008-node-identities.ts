import { type Kysely, sql } from 'kysely';

/**
 * The identity epoch of a node, which of its certificates is the newest, and the NATS users that were signed
 * for it. Certificates without an epoch are of epoch 0, so that existing nodes go on.
 */
const columns = ['identity_epoch', 'certificates_issued', 'certificate_used'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = database() and table_name = 'nodes'`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  for (const column of columns)
    if (!present.has(column))
      await sql.raw(`alter table nodes add column ${column} bigint not null default 0`).execute(db);
  // No foreign key: the users of a removed node are revoked until they expire.
  await sql
    .raw(
      `create table if not exists node_nats_users (
        public_key char(56) character set ascii collate ascii_bin not null,
        node_id bigint not null,
        identity_epoch bigint not null,
        expires_at datetime(6) not null,
        primary key (public_key),
        key node_nats_users_expires (expires_at)
      )`,
    )
    .execute(db);
}
