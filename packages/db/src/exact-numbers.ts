import type { FieldPacket, PoolConnection } from 'mysql2';

/**
 * BIGINT and DECIMAL columns become numbers in mysql2's own parser, which is compiled for the columns of a
 * statement; a `typeCast` function of ours would be called for every value, and costs a third more for a row.
 */
export const numberOptions = { supportBigNumbers: true, decimalNumbers: true } as const;

const LONGLONG = 8;
const NEWDECIMAL = 246;

type Callback = (error: Error | null, result: unknown, fields?: readonly FieldPacket[]) => void;

/**
 * From here on a query of this connection fails with a RangeError when a column holds an integer that a
 * number cannot hold exactly: ids stay below 2^53, so such a value is a defect, and a rounded id would name
 * another row. mysql2 gives such a BIGINT as text, and such a DECIMAL rounded.
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

/** `result` is not rows where the statement wrote. */
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
