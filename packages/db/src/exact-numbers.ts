import type { FieldPacket, PoolConnection } from 'mysql2';

/**
 * mysql2's own parser converts BIGINT and DECIMAL columns to numbers. It is compiled for the columns of a statement. A
 * `typeCast` function of ours would be called for every value and would make a row one third more expensive.
 */
export const numberOptions = { supportBigNumbers: true, decimalNumbers: true } as const;

const LONGLONG = 8;
const NEWDECIMAL = 246;

type Callback = (error: Error | null, result: unknown, fields?: readonly FieldPacket[]) => void;

/**
 * Makes queries of this connection fail with a RangeError if a column contains an integer that a JavaScript number
 * cannot represent exactly. Ids stay below 2^53, so such a value is a defect, and a rounded id would identify another
 * row. mysql2 returns such a BIGINT as text, and such a DECIMAL rounded.
 */
export function refuseInexactNumbers(connection: PoolConnection): void {
  const query = connection.query.bind(connection) as (
    sql: string,
    values: unknown,
    callback?: Callback,
  ) => unknown;
  const checked = (sql: string, values: unknown, callback?: Callback) =>
    callback === undefined
      ? query(sql, values)
      : query(sql, values, (error, result, fields) =>
          callback(error ?? findInexactNumber(result, fields) ?? null, result, fields),
        );
  connection.query = checked as PoolConnection['query'];
}

/** `result` is not an array of rows after a write. */
export function findInexactNumber(
  result: unknown,
  fields: readonly Pick<FieldPacket, 'name' | 'columnType'>[] | undefined,
): RangeError | undefined {
  if (!Array.isArray(result) || result.length === 0 || fields === undefined) return undefined;
  for (const { name, columnType } of fields) {
    if (columnType !== LONGLONG && columnType !== NEWDECIMAL) continue;
    for (const row of result as Record<string, unknown>[]) {
      const value = row[name];
      if (typeof value === 'string' || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        return new RangeError(`Column ${name} holds ${value}, which a number cannot hold exactly.`);
    }
  }
  return undefined;
}

/** Shorter numbers are exact. */
const SIXTEEN_DIGITS = /\d{16}/;

/** Parses a JSON object of the database. Throws RangeError like a query if it holds such an integer. */
export function parseExactJson(text: string): Record<string, unknown> {
  const record = JSON.parse(text) as Record<string, unknown>;
  if (!SIXTEEN_DIGITS.test(text)) return record;
  for (const [name, value] of Object.entries(record))
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RangeError(`Column ${name} holds ${value}, which a number cannot hold exactly.`);
  return record;
}
