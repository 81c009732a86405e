import { type Kysely, sql } from 'kysely';

/** Filled by the recount that ends every `migrate`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table if not exists record_counts (
        record varchar(16) character set ascii collate ascii_bin not null,
        scope_id bigint not null,
        slot smallint not null,
        records bigint not null,
        primary key (record, scope_id, slot)
      ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
    )
    .execute(db);
}
