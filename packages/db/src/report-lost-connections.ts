import { DatabaseUnreachableError } from '@innkeeper/domain';
import type { PoolConnection } from 'mysql2';

/**
 * Codes of the operating system, of mysql2, and of servers that are shutting down (ER_SERVER_SHUTDOWN,
 * ER_CONNECTION_KILLED).
 */
const lostCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
]);

type Answer = (error: unknown, ...rest: unknown[]) => void;

/**
 * Makes statements fail with DatabaseUnreachableError if their connection ends before the answer, in the same way as
 * statements that get no connection. Whether such a statement was executed is unknown.
 */
export function reportLostConnections(connection: PoolConnection, server: string): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  const reporting = (...args: unknown[]): unknown => {
    const answer = args.at(-1);
    if (typeof answer !== 'function') return query(...args);
    const report: Answer = (error, ...rest) =>
      (answer as Answer)(isLost(error) ? new DatabaseUnreachableError(server, error) : error, ...rest);
    return query(...args.slice(0, -1), report);
  };
  connection.query = reporting as PoolConnection['query'];
}

/** mysql2 marks an error as fatal if it ends the connection. A statement on an ended connection has no other code. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, fatal } = error as { code?: unknown; fatal?: unknown };
  return fatal === true || (typeof code === 'string' && lostCodes.has(code));
}
