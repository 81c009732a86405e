import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { runOnPool } from './run-on-pool.ts';
import type { Database } from './schema/index.ts';

/** Stands for a value in a query that is compiled before the value is known. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const slots = new Proxy(
  {},
  {
    get: (_, name) => new Slot(String(name)),
    ownKeys: () => {
      throw new TypeError('A query that is compiled once takes its values one by one, by their names.');
    },
  },
);

/**
 * A query that is built and compiled with its first use, and after that is only given its values: for a read
 * of one row, building it costs as much as all that the driver does. For the queries of requests that come
 * by the thousand. `build` puts the values where values of a statement stand, and must not look at them. A
 * list stands in `in (…)`, and must not be empty.
 */
export function compileOnce<Values extends Record<string, number | string | Buffer | readonly number[]>, Row>(
  build: (db: Kysely<Database>, values: Values) => CompiledQuery<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, slots as Values);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return await runOnPool(db, { ...compiled, parameters });
  };
}
