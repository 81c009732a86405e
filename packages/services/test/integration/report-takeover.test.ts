import { inTransaction } from '@innkeeper/db';
import { registerSession, storeReport } from '@innkeeper/services';
import { expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, open, rowOf, session_id } from './fixtures.ts';
import { nodeFacts, ownDatabase, reportOf, untilItWaitsForALock } from './records.ts';
import { refusalOf } from './refusals.ts';

const database = ownDatabase();

test('a report that waited for a lock while a later session started is refused', async () => {
  const node_id = await addOnlineNode(database.db);
  const { accountId: account_id } = await open(actor(database.db), {
    package_id: await addPackage(database.db),
  });
  const report = reportOf(account_id);
  let late: Promise<unknown> = Promise.resolve();
  await inTransaction(database.db, async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account_id).forUpdate().execute();
    late = refusalOf(storeReport(database.db, { node_id, session_id, report, now: new Date() }));
    await untilItWaitsForALock(database.db, late);
    await registerSession(database.db, {
      now: new Date(),
      node_id,
      session_id: 'session-of-a-later-agent',
      ...nodeFacts,
    });
  });
  expect(await late).toMatchObject({ code: 'precondition_failed' });
  expect((await rowOf(database.db, account_id)).outcome).toBeNull();
});
