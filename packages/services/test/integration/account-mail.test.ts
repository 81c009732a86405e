import { mailWindows } from '@innkeeper/domain';
import { getAccountMail, setPackageMail, storeUsage } from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import { contextOf, rowsWhere } from './records.ts';
import { expectRefusal } from './refusals.ts';

/** Limits of mail by package, and what servers report of it. */
const rig = useDatabaseRig();
const { admin } = rig;

const mailOf = async (accountId: number) => (await specOf(rig.db, accountId)).mail;

test('a new package allows mail, and a change is in the next generation of its accounts only', async () => {
  const package_id = await addPackage(rig.db);
  const other = await rig.newAccount();
  const { accountId } = await open(admin(), { package_id });
  expect(await mailOf(accountId)).toEqual({ per_hour: 100, per_day: 500 });
  const ctx = admin();
  await setPackageMail(ctx, { package_id, mail_per_hour: 0, mail_per_day: 10 });
  expect(await specOf(rig.db, accountId)).toMatchObject({
    generation: 2,
    mail: { per_hour: 0, per_day: 10 },
  });
  expect(await specOf(rig.db, other)).toMatchObject({ generation: 1 });
  expect(ctx.wakes).toMatchObject([{ accountId, generation: 2 }]);
  const rows = await rowsWhere(rig.db, 'audit_log', { target: `package:${package_id}` });
  expect(JSON.parse(rows.at(-1)?.details ?? '{}')).toMatchObject({
    before: { mail_per_hour: 100, mail_per_day: 500 },
    after: { mail_per_hour: 0, mail_per_day: 10 },
    accounts: 1,
  });
  // The same values change nothing.
  await setPackageMail(admin(), { package_id, mail_per_hour: 0, mail_per_day: 10 });
  expect((await rowOf(rig.db, accountId)).generation).toBe(2);
});

test('limits outside the bounds are refused at their fields, and resellers set none', async () => {
  const package_id = await addPackage(rig.db);
  const refused = setPackageMail(admin(), { package_id, mail_per_hour: -1, mail_per_day: 1_000_001 });
  await expect(refused).rejects.toMatchObject({
    code: 'invalid',
    fields: { mail_per_hour: [expect.any(String)], mail_per_day: [expect.any(String)] },
  });
  const reseller = { ...admin(), ...contextOf(rig.db, { role: 'reseller', userId: 1 }) };
  await expectRefusal(
    setPackageMail(reseller, { package_id, mail_per_hour: 1, mail_per_day: 1 }),
    'forbidden',
  );
  await expectRefusal(
    setPackageMail(admin(), { package_id: 999_999, mail_per_hour: 1, mail_per_day: 1 }),
    'not_found',
  );
});

/** Reports counts of an account as its server does. */
async function report(accountId: number, node_id: number, at: Date, counts: object) {
  const [node] = await rowsWhere(rig.db, 'nodes', { id: node_id });
  const slot = Math.floor(at.getTime() / 300_000) * 300 - 300;
  await storeUsage(rig.db, {
    node_id,
    session_id: node?.session_id ?? '',
    now: at,
    report: {
      interval_start: slot,
      part: 0,
      server: null,
      accounts: [],
      sites: [],
      mail: [
        {
          account_id: accountId,
          ...mailWindows(at),
          hour_sent: 3,
          hour_refused: 1,
          day_sent: 8,
          day_refused: 2,
          queued: 4,
          ...counts,
        },
      ],
    },
  });
}

test('the figures come from the server; without an answer from its last report, for the present hour and day only', async () => {
  const accountId = await rig.newAccount();
  const { node_id } = await rowOf(rig.db, accountId);
  const now = new Date();
  expect(await getAccountMail(admin(), { account_id: accountId })).toMatchObject({
    has_relay: false,
    mail_per_hour: 100,
    hour: { sent: 0, refused: 0 },
    queued: 0,
    reported_at: null,
  });
  await report(accountId, node_id, now, {});
  const at = (time: Date) => ({ ...admin(), now: () => time });
  expect(await getAccountMail(at(now), { account_id: accountId })).toMatchObject({
    hour: { sent: 3, refused: 1 },
    day: { sent: 8, refused: 2 },
    queued: 4,
    reported_at: expect.any(Date),
  });
  const later = new Date(now.getTime() + 86_400_000);
  expect(await getAccountMail(at(later), { account_id: accountId })).toMatchObject({
    hour: { sent: 0, refused: 0 },
    day: { sent: 0, refused: 0 },
  });
  const asked = {
    ...at(now),
    askNode: async () => ({
      mail: {
        account_id: accountId,
        ...mailWindows(now),
        hour_sent: 9,
        hour_refused: 0,
        day_sent: 9,
        day_refused: 0,
        queued: 1,
      },
      waits_because: '454 try later',
    }),
  };
  expect(await getAccountMail(asked as never, { account_id: accountId })).toMatchObject({
    hour: { sent: 9 },
    waits_because: '454 try later',
    reported_at: null,
  });
});

test('a server is believed about its own accounts only, and the figures go with the account', async () => {
  const accountId = await rig.newAccount();
  const { node_id } = await rowOf(rig.db, accountId);
  await report(accountId, node_id, new Date(Date.now() + 300_000), {});
  expect(await rowsWhere(rig.db, 'account_mail', { account_id: accountId })).toHaveLength(1);
  await expectRefusal(
    getAccountMail(
      { ...admin(), ...contextOf(rig.db, { role: 'reseller', userId: 1 }) },
      { account_id: accountId },
    ),
    'not_found',
  );
  const { terminateAccount } = await import('@innkeeper/services');
  await terminateAccount(admin(), { account_id: accountId });
  await reportNewest(rig.db, accountId, { outcome: 'absent' });
  expect(await rowsWhere(rig.db, 'account_mail', { account_id: accountId })).toEqual([]);
});
