import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { compileOnce } from './compile-once.ts';
import type { Database } from './schema/index.ts';

/** A database that answers each statement with the statement itself. */
class Echo extends DummyDriver {
  override async acquireConnection() {
    return {
      executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => ({
        rows: [{ sql, parameters } as Row],
      }),
      streamQuery: async function* () {},
    };
  }
}

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new Echo(),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
});

test('a query is built once, and each call gets its own values in their places', async () => {
  let built = 0;
  const find = compileOnce((database, { name, id }: { id: number; name: string }) => {
    built += 1;
    return database
      .selectFrom('users')
      .select('id')
      .where('username', '=', name)
      .where('role', '=', 'admin')
      .where('id', '>', id)
      .where('name', '!=', name)
      .limit(id)
      .compile();
  });
  const sql =
    'select `id` from `users` where `username` = ? and `role` = ? and `id` > ? and `name` != ? limit ?';
  expect((await find(db, { id: 1, name: 'anna' })).rows).toEqual([
    { sql, parameters: ['anna', 'admin', 1, 'anna', 1] },
  ]);
  expect((await find(db, { id: 2, name: 'bob' })).rows).toEqual([
    { sql, parameters: ['bob', 'admin', 2, 'bob', 2] },
  ]);
  expect(built).toBe(1);
});

test('a query that uses all values together, unnamed, is refused', async () => {
  const find = compileOnce((database, { id, ...rest }: { id: number; name: string }) =>
    database.selectFrom('users').select('id').where('id', '=', id).where('name', '=', rest.name).compile(),
  );
  await expect(find(db, { id: 1, name: 'anna' })).rejects.toThrow(TypeError);
});
