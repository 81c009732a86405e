import { type Kysely, sql } from 'kysely';

const columns = [
  ['allocatable_memory_mb', 'bigint null'],
  ['allocatable_disk_mb', 'bigint null'],
  ['known_memory_bytes', 'bigint null'],
  ['known_disk_bytes', 'bigint null'],
  ['capacity_jumped_at', 'datetime(6) null'],
  ['warnings', 'varchar(2000) character set ascii collate ascii_bin null'],
] as const;

/**
 * What an operator says of a node's capacity, and what was last believed of what the node says; and the codes of
 * what a node reports as weaker than promised.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // DDL commits by itself: a run that was cut short finds what it did.
  for (const [column, type] of columns) {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = database() and table_name = 'nodes' and column_name = ${column} limit 1`.execute(
      db,
    );
    if (rows.length === 0) await sql.raw(`alter table nodes add column ${column} ${type}`).execute(db);
  }
  await sql`update nodes set known_memory_bytes = memory_bytes, known_disk_bytes = disk_bytes
    where known_memory_bytes is null and known_disk_bytes is null`.execute(db);
}
