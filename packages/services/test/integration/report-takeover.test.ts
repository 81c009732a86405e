import { inTransaction } from '@innkeeper/db';
import { registerSession, storeReport } from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, open, rowOf, session_id } from './fixtures.ts';
import { refusalOf, untilItWaitsForALock } from './records.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

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
    databases: [],
    apps: [],
    driver_ms: {},
  };
  let late: Promise<unknown> = Promise.resolve();
  await inTransaction(database.db, async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account_id).forUpdate().execute();
    late = refusalOf(storeReport(database.db, { node_id, session_id, report, now: new Date() }));
    await untilItWaitsForALock(database.db, late);
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
      ledger_incomplete: false,
      node_versions: [],
      php_version: null,
      time_zone: null,
    });
  });
  expect(await late).toMatchObject({ code: 'precondition_failed' });
  expect((await rowOf(database.db, account_id)).outcome).toBeNull();
});
