/** The part of mysql2's column that is read here. */
interface Column {
  type: string;
  name: string;
  string(encoding?: string): string | null;
}

/**
 * Turns BIGINT and DECIMAL columns into numbers and leaves the rest to mysql2. Throws RangeError for an
 * integer that a number cannot hold exactly: ids stay below 2^53, so such a value is a defect, and a
 * silently rounded id would name another row.
 */
export function castColumn(column: Column, next: () => unknown): unknown {
  if (column.type !== 'LONGLONG' && column.type !== 'NEWDECIMAL') return next();
  const text = column.string('ascii');
  if (text === null) return null;
  const value = Number(text);
  if (!text.includes('.') && !Number.isSafeInteger(value))
    throw new RangeError(`Column ${column.name} holds ${text}, which a number cannot hold exactly.`);
  return value;
}
