const ER_DUP_ENTRY = 1062;
/**
 * Neither server returns the key's name, except at the end of the message: the last quoted word in every language.
 * MySQL writes `table.key`, MariaDB `key`. The value before it can contain anything, so match from the end.
 */
const keyName = /'(?:[^'.]+\.)?([^'.]+)'[^']*$/;

/** Whether a statement failed because a row with the same unique key (`PRIMARY`, or the key's name) exists. */
export function isUniqueViolation(error: unknown, key: string): boolean {
  if (!(error instanceof Error) || !('errno' in error) || error.errno !== ER_DUP_ENTRY) return false;
  const message = 'sqlMessage' in error ? String(error.sqlMessage) : error.message;
  return keyName.exec(message)?.[1] === key;
}
