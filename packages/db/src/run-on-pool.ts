import type { CompiledQuery, Kysely, MysqlPool, QueryResult } from 'kysely';
import type { Database } from './schema/index.ts';

const pools = new WeakMap<Kysely<Database>, MysqlPool>();

/** Registers the pool of `db` for `runOnPool`. */
export function rememberPool(db: Kysely<Database>, pool: MysqlPool): void {
  pools.set(db, pool);
}

/**
 * `db.executeQuery` without the layers in which Kysely checks for plugins, transactions and aborts. Without any of
 * these, the layers cost a short statement as much time as the driver. A transaction, which keeps its connection, uses
 * those layers. Throws the errors of `db.executeQuery`.
 */
export function runOnPool<Row>(db: Kysely<Database>, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
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
