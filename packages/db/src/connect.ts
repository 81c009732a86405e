import { readFileSync } from 'node:fs';
import { DatabaseUnreachableError } from '@innkeeper/domain';
import { Kysely, MysqlAdapter, MysqlDialect, type MysqlPool } from 'kysely';
import { createPool, type PoolConnection } from 'mysql2';
import { parseDatabaseUrl } from './database-url.ts';
import { numberOptions, refuseInexactNumbers } from './exact-numbers.ts';
import { reportLostConnections } from './report-lost-connections.ts';
import { rememberPool } from './run-compiled.ts';
import type { Database } from './schema/index.ts';

export interface ConnectOptions {
  /**
   * Maximum number of connections. Default: 10. At least 2, because a migration uses one while it has the lock on
   * another.
   */
  poolSize?: number;
}

/**
 * Settings that the code relies on, independent of the server's configuration: no stale snapshots, UTC, invalid values
 * refused instead of truncated, backslash escapes, and a lock wait timeout that is shorter than a request.
 */
const sessionSettings = [
  'set session transaction isolation level read committed',
  `set session time_zone = '+00:00', innodb_lock_wait_timeout = 5, sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'`,
];

/**
 * Creates a connection pool for the database at `url` (see `parseDatabaseUrl`). It connects at the first query. A query
 * throws DatabaseUnreachableError if it cannot connect, or if the connection is lost before the answer. Close the pool
 * with `db.destroy()`. Throws at once if the CA file cannot be read.
 */
export function connect(url: string, options: ConnectOptions = {}): Kysely<Database> {
  const { tlsCaFile, ...address } = parseDatabaseUrl(url);
  const server = `${address.socketPath ?? `${address.host}:${address.port}`}/${address.database}`;
  const pool = createPool({
    ...address,
    ...(tlsCaFile === undefined ? {} : { ssl: { ca: readFileSync(tlsCaFile, 'utf8') } }),
    connectionLimit: Math.max(2, options.poolSize ?? 10),
    connectTimeout: 5_000,
    charset: 'utf8mb4',
    timezone: 'Z',
    ...numberOptions,
    // JSON columns are returned as text, whether or not the server reports the column as JSON.
    jsonStrings: true,
    // An object as a value stays a value and never becomes part of the SQL.
    stringifyObjects: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    // The session settings are applied once, when a connection is new.
    resetOnRelease: false,
  });
  pool.on('connection', applySessionSettings);
  pool.on('connection', refuseInexactNumbers);
  pool.on('connection', (connection) => reportLostConnections(connection, server));
  const connections: MysqlPool = {
    getConnection: (callback) =>
      pool.getConnection((error, connection) =>
        callback(error === null ? null : new DatabaseUnreachableError(server, error), connection),
      ),
    end: (callback) => pool.end(callback),
  };
  const db: Kysely<Database> = new Kysely<Database>({
    dialect: new Dialect({
      // Called at the first query. Kysely does not close a pool that it never requested.
      pool: async () => {
        rememberPool(db, connections);
        return connections;
      },
    }),
  });
  return db;
}

/** Queued before the first statement. A connection whose settings fail is closed. */
function applySessionSettings(connection: PoolConnection): void {
  for (const statement of sessionSettings)
    connection.query(statement, (error) => {
      if (error !== null) connection.destroy();
    });
}

class Dialect extends MysqlDialect {
  override createAdapter(): MysqlAdapter {
    return new Adapter();
  }
}

/** `migrate` has its own lock, because a database cluster does not share GET_LOCK. */
class Adapter extends MysqlAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
