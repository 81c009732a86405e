import type { CompiledQuery, DatabaseConnection, Kysely, MysqlPool, QueryResult, Transaction } from 'kysely';
import type { Database } from './schema/index.ts';

const pools = new WeakMap<Kysely<Database>, MysqlPool>();
const connections = new WeakMap<Kysely<Database>, DatabaseConnection>();

/** Registers the pool of `db` for `runCompiled`. */
export function rememberPool(db: Kysely<Database>, pool: MysqlPool): void {
  pools.set(db, pool);
}

/** Registers the connection of a transaction without plugins for `runCompiled`, until `forgetConnection`. */
export async function rememberConnection(trx: Transaction<Database>): Promise<void> {
  const executor = trx.getExecutor();
  if (executor.plugins.length > 0) return;
  connections.set(trx, await executor.provideConnection(async (connection) => connection));
}

/** Call it before the end of the transaction: its connection then serves others. */
export function forgetConnection(trx: Transaction<Database>): void {
  connections.delete(trx);
}

/**
 * `db.executeQuery` without the layers in which Kysely checks for plugins, transactions and aborts. Without plugins and
 * aborts, the layers cost a short statement as much time as the driver. Throws the errors of `db.executeQuery`.
 */
export function runCompiled<Row>(db: Kysely<Database>, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const own = connections.get(db);
  if (own !== undefined) return own.executeQuery(query);
  const pool = pools.get(db);
  if (pool === undefined) return db.executeQuery(query);
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult<Row>>();
  pool.getConnection((unreachable, connection) => {
    if (unreachable) return reject(unreachable);
    connection.query(query.sql, query.parameters, (error, result) => {
      connection.release();
      if (error) reject(error);
      else if (Array.isArray(result)) resolve({ rows: result as Row[] });
      else resolve({ rows: [], insertId: BigInt(result.insertId) });
    });
  });
  return promise;
}
