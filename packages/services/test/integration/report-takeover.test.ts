import { inTransaction } from '@innkeeper/db';
import { registerSession, storeReport } from '@innkeeper/services';
import { createTestDatabase, type TestDatabase, waitUntil } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, open, rowOf, session_id } from './panel.ts';
import { refusalOf } from './records.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.innodb_trx where trx_state = 'LOCK WAIT'
    and trx_query like ${`%${'accounts'}%for update`}`.execute(database.db);
  return rows.length > 0;
}

test('a report that waited while a later session took over is refused', async () => {
  const node_id = await addOnlineNode(database.db);
  const { accountId: account_id } = await open(actor(database.db), {
    package_id: await addPackage(database.db),
  });
  const report = {
    account_id,
    observed_generation: 1,
    outcome: 'applied' as const,
    conditions: [],
    domains: [],
    driver_ms: {},
  };
  let late: Promise<unknown> = Promise.resolve();
  await inTransaction(database.db, async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account_id).forUpdate().execute();
    late = refusalOf(storeReport(database.db, { node_id, session_id, report, now: new Date() }));
    await waitUntil('the report to wait for the account', isSomebodyWaiting);
    await registerSession(database.db, {
      node_id,
      session_id: 'session-of-a-later-agent',
      agent_version: '1.0.0',
      hostname: 'web',
      cpu_count: 1,
      memory_bytes: 1,
      disk_bytes: 1,
      disk_quota: 'accounting-only',
      io_limits: false,
      reserved_usernames: [],
    });
  });
  expect(await late).toMatchObject({ code: 'precondition_failed' });
  expect((await rowOf(database.db, account_id)).outcome).toBeNull();
});
