import type { CompiledQuery, Kysely, MysqlPool, QueryResult } from 'kysely';
import type { Database } from './schema/index.ts';

const pools = new WeakMap<Kysely<Database>, MysqlPool>();

/** From here on `runOnPool` knows the pool that `db` takes its connections from. */
export function rememberPool(db: Kysely<Database>, pool: MysqlPool): void {
  pools.set(db, pool);
}

/**
 * `db.executeQuery` without the layers in which Kysely looks for plugins, transactions and aborts: where there
 * is nothing to look for, they cost a short statement as much as the driver does. A transaction, which keeps
 * its connection, goes through them. Throws what `db.executeQuery` throws.
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
