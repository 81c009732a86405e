/**
 * The connection to the database failed, or was lost before the answer to a statement. The message contains the server,
 * never the password.
 */
export class DatabaseUnreachableError extends Error {
  constructor(server: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || errorCode(cause) : String(cause);
    super(`The database at ${server} cannot be reached: ${reason}`);
    this.name = 'DatabaseUnreachableError';
  }
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
