export { type ConnectOptions, connect } from './connect.ts';
export { DatabaseUnreachableError } from './database-unreachable-error.ts';
export { inTransaction } from './in-transaction.ts';
export { migrate } from './migrate.ts';
export { insertAuditRow } from './queries/audit-log.ts';
export type { Database } from './schema/index.ts';
export { isUniqueViolation } from './unique-violation.ts';
