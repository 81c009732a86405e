import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { runCompiled } from './run-compiled.ts';
import type { Database } from './schema/index.ts';

/** Placeholder for a value in a query that is compiled before the value is known. */
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

type Bound = number | string | Date | Buffer | null | readonly number[];

/**
 * Builds and compiles a query at its first use. Later uses only bind new values. For a read of one row, building the
 * query costs as much as all work of the driver, so this is for queries of frequent requests. `build` may use a value
 * only where a statement can have a bound value, and must not read it. A list is for `in (…)` and must not be empty.
 */
export function compileOnce<Values extends Record<string, Bound>, Row>(
  build: (db: Kysely<Database>, values: Values) => CompiledQuery<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, slots as Values);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return await runCompiled(db, { ...compiled, parameters });
  };
}
