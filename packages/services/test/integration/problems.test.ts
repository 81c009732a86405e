import { createDatabase, createDomain, listProblems, retryAccount } from '@innkeeper/services';
import { beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest, rowOf } from './fixtures.ts';
import { counting, fresh, insertUsageRecord, ownDatabase, updateRows } from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let packageId: number;
beforeAll(async () => {
  await addOnlineNode(database.db);
  packageId = await addPackage(database.db, { max_domains: 3, max_databases: 2, max_apps: 0 });
});

const admin = () => actor(database.db);
const newAccount = async () => (await open(admin(), { package_id: packageId })).accountId;
/** An account that its node has applied once: a first failure would be a failed create. */
const appliedAccount = async () => {
  const id = await newAccount();
  await reportNewest(database.db, id);
  await retryAccount(admin(), { account_id: id });
  return id;
};
const newDomain = async (hosting_account_id: number) =>
  (await createDomain(admin(), { hosting_account_id, domain_name: `${fresh('bad')}.example.com` })).view.id;

test('every failed record and reached limit of several accounts is found in one statement', async () => {
  const [bad, good] = [await newAccount(), await newAccount()];
  const failed = await newDomain(bad);
  const insecure = await newDomain(bad);
  const { view } = await createDatabase(admin(), { hosting_account_id: bad });
  const reason = 'It broke.';
  await updateRows(database.db, 'domains', { id: failed }, { status: 'failed', status_reason: reason });
  await updateRows(database.db, 'domains', { id: insecure }, { ssl_status: 'failed', ssl_error: reason });
  await updateRows(database.db, 'databases', { id: view.id }, { status: 'failed', status_reason: reason });
  await insertUsageRecord(database.db, bad, { disk_used_mb: 950 });
  await updateRows(database.db, 'accounts', { id: bad }, { disk_limit_mb: 1_000 });
  for (const id of [bad, good]) await reportNewest(database.db, id);
  const { db, statements } = counting(database.db);
  const found = await listProblems({ ...admin(), db }, { account_ids: [bad, good] });
  expect(statements()).toBe(1);
  expect([...found.keys()]).toEqual([bad]);
  expect(found.get(bad)?.map(({ kind, id, reason: said, domain_id }) => [kind, id, said, domain_id])).toEqual(
    [
      ['domain', failed, reason, failed],
      ['certificate', insecure, reason, insecure],
      ['database', view.id, reason, null],
      ['disk', bad, null, null],
    ],
  );
  expect(found.get(bad)?.at(-1)).toMatchObject({ used: 950, limit: 1_000, retries: false });
});

test('a failed part without a record is named by its condition', async () => {
  const id = await appliedAccount();
  await reportNewest(database.db, id, {
    outcome: 'failed',
    conditions: [
      { type: 'web', reason: 'Applied', message: '' },
      { type: 'cron', reason: 'Failed', message: 'The table could not be written.' },
    ],
  });
  expect((await listProblems(admin(), { account_ids: [id] })).get(id)).toMatchObject([
    { kind: 'settings', name: 'Cron jobs', reason: 'The table could not be written.', retries: false },
  ]);
});

test('a part that only waits for a failed one is no problem of its own', async () => {
  const id = await appliedAccount();
  const taken = await newDomain(id);
  const conditions = [
    { type: 'web', reason: 'Conflict', message: 'Taken.' },
    { type: 'cron', reason: 'Failed', message: 'Not attempted, because web failed and must come first.' },
  ] as const;
  const domains = [{ domain_id: taken, status: 'failed', reason: 'Taken.', certificate: null } as const];
  const kindsOf = async () =>
    (await listProblems(admin(), { account_ids: [id] })).get(id)?.map(({ kind }) => kind);
  await reportNewest(database.db, id, { outcome: 'failed', conditions: [...conditions], domains });
  expect(await kindsOf()).toEqual(['domain']);
  // Nothing else says what is wrong.
  await updateRows(database.db, 'domains', { id: taken }, { status: 'active', status_reason: null });
  await reportNewest(database.db, id, { outcome: 'failed', conditions: [conditions[1]] });
  expect(await kindsOf()).toEqual(['settings']);
});

test('what has failed has the time of the next try, and since when it fails', async () => {
  const { db } = database;
  const id = await appliedAccount();
  const [taken, insecure] = [await newDomain(id), await newDomain(id)];
  const next_pass_at = Math.floor(Date.now() / 1_000) + 600;
  const conditions = [{ type: 'web', reason: 'Conflict', message: 'Taken.' } as const];
  const domains = [{ domain_id: taken, status: 'failed', reason: 'Taken.', certificate: null } as const];
  const failing = { outcome: 'failed', conditions, domains } as const;
  await reportNewest(db, id, { ...failing, next_pass_at });
  const first = (await listProblems(admin(), { account_ids: [id] })).get(id);
  expect(first).toMatchObject([
    { kind: 'domain', next_try_at: new Date(next_pass_at * 1_000), retries: true },
  ]);
  const { failing_since } = await rowOf(db, id);
  expect(failing_since).not.toBeNull();
  // The same failure some time later: another time of the next try, and since when it fails stays.
  await reportNewest(db, id, { ...failing, next_pass_at: next_pass_at + 600 });
  expect(await rowOf(db, id)).toMatchObject({
    failing_since,
    next_pass_at: new Date((next_pass_at + 600) * 1_000),
  });
  const next = new Date(Date.now() + 3_600_000);
  await updateRows(
    db,
    'domains',
    { id: insecure },
    {
      ssl_status: 'failed',
      ssl_failing_since: failing_since,
      ssl_next_attempt_at: next,
    },
  );
  const found = (await listProblems(admin(), { account_ids: [id] })).get(id);
  expect(found?.find(({ kind }) => kind === 'certificate')).toMatchObject({
    since: failing_since,
    next_try_at: next,
  });
  await reportNewest(db, id);
  expect(await rowOf(db, id)).toMatchObject({ failing_since: null, next_pass_at: null });
});

test('a retry is a new generation, and nobody sees or retries the accounts of others', async () => {
  const id = await appliedAccount();
  await reportNewest(database.db, id, { outcome: 'failed' });
  const before = (await rowOf(database.db, id)).generation;
  const stranger = await addReseller(database.db);
  expect((await listProblems(stranger, { account_ids: [id] })).size).toBe(0);
  await expectRefusal(retryAccount(stranger, { account_id: id }), 'not_found');
  expect((await listProblems(admin(), { account_ids: [id] })).get(id)).toHaveLength(1);
  await retryAccount(admin(), { account_id: id });
  expect((await rowOf(database.db, id)).generation).toBe(before + 1);
  expect((await listProblems(admin(), { account_ids: [id] })).size).toBe(0);
});
