export { allowDatabaseIp } from './allow-database-ip.ts';
export { createDatabase } from './create-database.ts';
export { getDatabase } from './get-database.ts';
export { listDatabases } from './list-databases.ts';
export { removeDatabase } from './remove-database.ts';
export { resetDatabasePassword } from './reset-database-password.ts';
export { revokeDatabaseIp } from './revoke-database-ip.ts';
export { showDatabasePassword } from './show-database-password.ts';
