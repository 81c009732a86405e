import { readFileSync } from 'node:fs';
import { Kysely, MysqlAdapter, MysqlDialect, type MysqlPool } from 'kysely';
import { createPool, type PoolConnection } from 'mysql2';
import { DatabaseUnreachableError } from './database-unreachable-error.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { numberOptions, refuseInexactNumbers } from './exact-numbers.ts';
import { reportLostConnections } from './report-lost-connections.ts';
import { rememberPool } from './run-on-pool.ts';
import type { Database } from './schema/index.ts';

export interface ConnectOptions {
  /** Connections at most; default 10. At least 2, because a migration holds one while it uses another. */
  poolSize?: number;
}

/**
 * What the code relies on and no server's configuration may change: no stale snapshots, UTC, refused
 * instead of truncated values, backslash escapes, and a lock wait that ends within a request.
 */
const sessionSettings = [
  'set session transaction isolation level read committed',
  `set session time_zone = '+00:00', innodb_lock_wait_timeout = 5, sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'`,
];

/**
 * A pool on the database at `url` (see `parseDatabaseUrl`). Connects with the first query, which throws
 * DatabaseUnreachableError when it cannot, and so does every query whose connection is lost before its answer. End it with `db.destroy()`. Throws at once when the authority's
 * file cannot be read.
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
    // JSON comes as text, whether or not the server says of a column that it is JSON.
    jsonStrings: true,
    // An object given as a value stays a value: it never becomes a piece of SQL.
    stringifyObjects: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    // The session settings are made once, when a connection is new.
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
      // Asked with the first query; a pool that Kysely has not asked for, it would not end.
      pool: async () => {
        rememberPool(db, connections);
        return connections;
      },
    }),
  });
  return db;
}

/** Queued ahead of the first statement. A connection that cannot be set up is not used at all. */
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

/** `migrate` holds a lock of its own: GET_LOCK is one of the things a database cluster does not share. */
class Adapter extends MysqlAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
