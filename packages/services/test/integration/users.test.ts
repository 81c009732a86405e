import { type Database, insertUser, inTransaction, refuseStaffEmail, takeStaffEmail } from '@innkeeper/db';
import { createAdmin, createReseller } from '@innkeeper/services';
import type { Transaction } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { verifyPanelPassword } from '../../src/passwords/panel-password.ts';
import {
  contextOf,
  fresh,
  insertAccountRecord,
  insertNodeRecord,
  meetingPoint,
  ownDatabase,
  rowsWhere,
  untilItWaitsForALock,
} from './records.ts';
import { expectRace, expectRefusal, invalid, refusalOf, taken } from './refusals.ts';

const database = ownDatabase();
let serial = 0;

let node_id: number;
beforeAll(async () => {
  node_id = await insertNodeRecord(database.db);
});

const ctx = () => contextOf(database.db);
const user = (input: Partial<Parameters<typeof createAdmin>[1]> = {}) => {
  serial += 1;
  return {
    username: `staff${serial}`,
    email: `staff${serial}@example.com`,
    password: 'correct horse',
    ...input,
  };
};

test('an admin and a reseller are created, and only the hash of the password is stored', async () => {
  const admin = await createAdmin(
    ctx(),
    user({ username: ' Boss ', name: 'The Boss', password: ' pässword ' }),
  );
  expect(admin).toMatchObject({ username: 'boss', name: 'The Boss', role: 'admin' });
  const reseller = await createReseller(ctx(), user());
  expect(reseller).toMatchObject({ name: reseller.username, role: 'reseller' });
  const rows = await rowsWhere(database.db, 'users', { id: admin.id });
  expect(rows[0]).toMatchObject({ username: 'boss', role: 'admin' });
  expect(await verifyPanelPassword(' pässword ', rows[0]?.password_hash ?? '')).toBe(true);
  expect(await verifyPanelPassword('pässword', rows[0]?.password_hash ?? '')).toBe(false);
  const log = await rowsWhere(database.db, 'audit_log');
  expect(log.map(({ action, target }) => [action, target])).toEqual([
    ['admin.create', `user:${admin.id}`],
    ['reseller.create', `user:${reseller.id}`],
  ]);
  expect(JSON.stringify(log)).not.toContain('pässword');
});

test.each([
  [{ username: 'ab' }, 'username'],
  [{ username: 'a'.repeat(17) }, 'username'],
  [{ username: 'a b' }, 'username'],
  [{ username: '../etc' }, 'username'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'x\u0000' }, 'name'],
  [{ email: '' }, 'email'],
  [{ email: 'nobody' }, 'email'],
  [{ email: `${'a'.repeat(60)}@${'b.'.repeat(120)}example` }, 'email'],
  [{ password: 'short' }, 'password'],
  [{ password: 'x'.repeat(256) }, 'password'],
  [{ password: 'line\nbreak' }, 'password'],
])('%j is refused at its field', async (input, field) => {
  await expectRefusal(
    createReseller(ctx(), user(input)),
    invalid({ [field]: expect.stringContaining(field) }),
  );
});

test('every wrong field is named at once', async () => {
  await expectRefusal(createAdmin(ctx(), { username: '', email: 'x', password: '' }), {
    message: expect.stringMatching(/\(and \d more errors?\)$/),
    fields: { username: [expect.any(String)], email: [expect.any(String)], password: [expect.any(String)] },
  });
});

test('of 32 concurrent creates of one username exactly one succeeds', async () => {
  await expectRace({ calls: 32, winners: 1, refusal: taken('username') }, (index) =>
    createReseller(ctx(), user({ username: 'contested', email: `c${index}@example.com` })),
  );
  expect(await rowsWhere(database.db, 'users', { username: 'contested' })).toHaveLength(1);
});

test('the username of an account is taken, and nothing of the refused user is stored', async () => {
  await insertAccountRecord(database.db, { username: 'tenant', node_id });
  const email = 'fresh@example.com';
  await expectRefusal(createReseller(ctx(), user({ username: 'TENANT', email })), taken('username'));
  expect(await createReseller(ctx(), user({ email }))).toMatchObject({ email });
});

test('the email of an admin or reseller is unique in any case', async () => {
  await createAdmin(ctx(), user({ email: 'Only.One@Example.com' }));
  await expectRefusal(createReseller(ctx(), user({ email: 'only.one@example.COM' })), taken('email'));
});

test('an end user’s email cannot be an admin’s, and an admin’s cannot be an end user’s', async () => {
  await insertAccountRecord(database.db, { username: 'mailer', node_id, email: 'Shared@example.com' });
  await expectRefusal(createAdmin(ctx(), user({ email: 'shared@example.com' })), taken('email'));
  await createAdmin(ctx(), user({ email: 'staff@example.com' }));
  await expectRefusal(
    inTransaction(database.db, (trx) => refuseStaffEmail(trx, 'STAFF@example.com')),
    taken('email'),
  );
});

/** Adds a user with an address, and lets the others add theirs before it is checked. */
async function addWithEmail(
  trx: Transaction<Database>,
  role: 'user' | 'reseller',
  email: string,
  meanwhile = async () => {},
): Promise<void> {
  const user = { username: fresh(role), name: 'x', email, role, password_hash: '-', now: new Date() };
  const id = await insertUser(trx, user);
  await meanwhile();
  await (role === 'user' ? refuseStaffEmail(trx, email) : takeStaffEmail(trx, email, id));
}

test('of an end user and a reseller with one email at the same time, one is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const barrier = meetingPoint(2);
    const add = (role: 'user' | 'reseller') =>
      inTransaction(database.db, (trx) => addWithEmail(trx, role, `race${round}@example.com`, barrier));
    await expectRace({ calls: 2, winners: 1, refusal: taken('email') }, (index) =>
      add(index === 0 ? 'user' : 'reseller'),
    );
  }
});

test.each([
  ['user', 'reseller'],
  ['reseller', 'user'],
] as const)(
  'while a %s with an email is not committed yet, a %s waits for it, and is refused',
  async (first, second) => {
    const email = `first-${first}@example.com`;
    const added = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const earlier = inTransaction(database.db, async (trx) => {
      await addWithEmail(trx, first, email);
      added.resolve();
      await held.promise;
    });
    await added.promise;
    const later = refusalOf(inTransaction(database.db, (trx) => addWithEmail(trx, second, email)));
    await untilItWaitsForALock(database.db, later);
    held.resolve();
    await earlier;
    expect(await later).toMatchObject(taken('email'));
  },
);

test('only admins create admins and resellers', async () => {
  const reseller = contextOf(database.db, { role: 'reseller', userId: 1 });
  await expectRefusal(createAdmin(reseller, user()), 'forbidden');
  await expectRefusal(createReseller(reseller, user()), 'forbidden');
});
