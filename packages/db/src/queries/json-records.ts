/**
 * Records of several tables in one SQL statement, and so in one snapshot. Each row of the answer is one record of one
 * table, as a JSON object. So tables with different columns share an answer, and no text is aggregated, which servers
 * cut (`group_concat_max_len`) or refuse (`max_allowed_packet`).
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { parseExactJson } from '../exact-numbers.ts';
import type { Database } from '../schema/index.ts';

/** The columns to read, by table. JSON has no dates: a time is read as text in UTC. */
export type RecordColumns = { readonly [T in keyof Database]?: readonly (keyof Database[T] & string)[] };

/** A record with these columns. */
export type JsonRecord<Columns extends RecordColumns, T extends keyof Columns & keyof Database> = {
  [C in ColumnOf<Columns, T>]: InJson<Selectable<Database[T]>[C]>;
};
type ColumnOf<Columns extends RecordColumns, T extends keyof Columns & keyof Database> = (Columns[T] &
  readonly unknown[])[number] &
  keyof Selectable<Database[T]>;
type InJson<Value> = Value extends Date ? string : Value;

/** Records by table, each table ordered by id. */
export type JsonRecords<Columns extends RecordColumns> = {
  [T in keyof Columns & keyof Database]: JsonRecord<Columns, T>[];
};

export interface JsonRecordRow {
  kind: string;
  record: string;
}

/** `select … as kind, … as record`: the columns of the answer. The statement adds `from` and what follows. */
export function jsonRecord<Columns extends RecordColumns>(
  columns: Columns,
  table: keyof Columns & keyof Database,
): RawBuilder<JsonRecordRow> {
  const members = (columns[table] ?? []).map(
    (column) => sql`${sql.lit(column)}, ${sql.ref(`${table}.${column}`)}`,
  );
  return sql`select ${sql.lit(table)} as kind, json_object(${sql.join(members)}) as record`;
}

/** Throws RangeError for a number that is not exact, like a query. */
export function readJsonRecords<Columns extends RecordColumns>(
  columns: Columns,
  rows: readonly JsonRecordRow[],
): JsonRecords<Columns> {
  const records = Object.fromEntries(Object.keys(columns).map((table) => [table, [] as { id?: number }[]]));
  for (const { kind, record } of rows) records[kind]?.push(parseExactJson(record));
  for (const table of Object.values(records)) table.sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
  return records as JsonRecords<Columns>;
}

/** A time of a JSON record. The server writes `2026-11-23 10:00:00.000000`. */
export function timeOfJson(text: string | null): Date | null {
  return text === null ? null : new Date(`${text.slice(0, 10)}T${text.slice(11, 23)}Z`);
}
