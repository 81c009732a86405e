import { DatabaseUnreachableError } from '@innkeeper/domain';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileOnce } from '../../src/compile-once.ts';
import { type Database, inTransaction } from '../../src/index.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  await sql`create table counters (id int primary key, value int not null) engine = InnoDB`.execute(
    database.db,
  );
});
beforeEach(async () => {
  await sql`delete from counters`.execute(database.db);
  await sql`insert into counters values (1, 0), (2, 0)`.execute(database.db);
});
afterAll(() => database.drop());

const add = (trx: Transaction<never>, id: number, by: number) =>
  sql`update counters set value = value + ${by} where id = ${id}`.execute(trx);

async function values(): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`select value from counters order by id`.execute(database.db);
  return rows.map((row) => row.value);
}

/** Returns a barrier: it opens once both sides have reached it. Later calls pass. */
function meetingPoint(): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived === 2) open();
    return opened;
  };
}

test('after a deadlock of two transactions, the victim is retried and both commit once', async () => {
  const bothHoldTheirFirst = meetingPoint();
  const runs = [0, 0];
  const side = (index: 0 | 1) =>
    inTransaction(database.db, async (trx) => {
      runs[index] = (runs[index] ?? 0) + 1;
      await add(trx as never, index === 0 ? 1 : 2, 1);
      await bothHoldTheirFirst();
      await add(trx as never, index === 0 ? 2 : 1, 10);
      return index;
    });
  expect(await Promise.all([side(0), side(1)])).toEqual([0, 1]);
  expect(runs.toSorted()).toEqual([1, 2]);
  expect(await values()).toEqual([11, 11]);
});

describe('a compiled statement', () => {
  const addTo = compileOnce((db, { id, by }: { id: number; by: number }) =>
    sql`update counters set value = value + ${by} where id = ${id}`.compile(db),
  );

  test('is part of its transaction, in the order of all its statements', async () => {
    const refused = inTransaction(database.db, async (trx) => {
      await Promise.all([
        addTo(trx, { id: 1, by: 1 }),
        add(trx as never, 2, 1),
        addTo(trx, { id: 2, by: 1 }),
      ]);
      const { rows } = await sql<{ value: number }>`select value from counters order by id`.execute(trx);
      expect(rows.map(({ value }) => value)).toEqual([1, 2]);
      expect(await values()).toEqual([0, 0]);
      throw new Error('Refused.');
    });
    await expect(refused).rejects.toThrow('Refused.');
    expect(await values()).toEqual([0, 0]);
    await inTransaction(database.db, (trx) => addTo(trx, { id: 1, by: 1 }));
    expect(await values()).toEqual([1, 0]);
  });

  test('is refused after the end of its transaction, whose connection serves others then', async () => {
    const late: Transaction<Database>[] = [];
    await inTransaction(database.db, async (trx) => void late.push(trx));
    await inTransaction(database.db, async (trx) => {
      late.push(trx);
      throw new Error('Refused.');
    }).catch(() => {});
    expect(late).toHaveLength(2);
    for (const trx of late) await expect(addTo(trx, { id: 1, by: 1 })).rejects.toThrow();
    expect(await values()).toEqual([0, 0]);
  });
});

test('another error is thrown without a retry, and nothing is written', async () => {
  let runs = 0;
  const failure = new Error('the rule says no');
  await expect(
    inTransaction(database.db, async (trx) => {
      runs += 1;
      await add(trx as never, 1, 1);
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(runs).toBe(1);
  expect(await values()).toEqual([0, 0]);
});

test('a transaction that always deadlocks fails with the deadlock after 8 runs', async () => {
  let runs = 0;
  const deadlock = Object.assign(new Error('Deadlock found'), { errno: 1213 });
  await expect(
    inTransaction(database.db, async () => {
      runs += 1;
      throw deadlock;
    }),
  ).rejects.toBe(deadlock);
  expect(runs).toBe(8);
});

test('a transaction sees later commits of others', async () => {
  const seen = await inTransaction(database.db, async (trx) => {
    await sql`select value from counters`.execute(trx);
    await inTransaction(database.db, (other) => add(other as never, 1, 1));
    const { rows } = await sql<{ value: number }>`select value from counters where id = 1`.execute(trx);
    return rows[0]?.value;
  });
  expect(seen).toBe(1);
});

test('32 transactions that lock before they read lose no update', async () => {
  await Promise.all(
    Array.from({ length: 32 }, () =>
      inTransaction(database.db, async (trx) => {
        const { rows } = await sql<{
          value: number;
        }>`select value from counters where id = 1 for update`.execute(trx);
        await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1} where id = 1`.execute(trx);
      }),
    ),
  );
  expect(await values()).toEqual([32, 0]);
});

test('a connection that is lost in a transaction fails the transaction, and the pool still works', async () => {
  await expect(
    inTransaction(database.db, async (trx) => {
      const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(trx);
      await sql`kill ${sql.lit(rows[0]?.id ?? 0)}`.execute(database.db);
      await add(trx as never, 1, 1);
    }),
  ).rejects.toBeInstanceOf(DatabaseUnreachableError);
  expect(await values()).toEqual([0, 0]);
});
