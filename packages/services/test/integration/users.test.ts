import { type Database, insertUser, inTransaction, refuseStaffEmail, takeStaffEmail } from '@innkeeper/db';
import { createAdmin, createReseller } from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import type { Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPanelPassword } from '../../src/passwords/panel-password.ts';
import { contextOf, insertAccountRecord, meetingPoint, refusalOf, untilItWaitsForALock } from './records.ts';

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('nodes')
    .values({ id: 1, name: 'web1', address: '10.0.0.1', state: 'active', created_at: new Date() })
    .execute();
});
afterAll(() => database.drop());

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
const taken = (field: string) => ({
  code: 'invalid',
  fields: { [field]: [`The ${field} has already been taken.`] },
});

test('an admin and a reseller are made, with a password that only its hash tells', async () => {
  const admin = await createAdmin(
    ctx(),
    user({ username: ' Boss ', name: 'The Boss', password: ' pässword ' }),
  );
  expect(admin).toMatchObject({ username: 'boss', name: 'The Boss', role: 'admin' });
  const reseller = await createReseller(ctx(), user());
  expect(reseller).toMatchObject({ name: reseller.username, role: 'reseller' });
  const rows = await database.db.selectFrom('users').selectAll().where('id', '=', admin.id).execute();
  expect(rows[0]).toMatchObject({ username: 'boss', role: 'admin' });
  expect(await verifyPanelPassword(' pässword ', rows[0]?.password_hash ?? '')).toBe(true);
  expect(await verifyPanelPassword('pässword', rows[0]?.password_hash ?? '')).toBe(false);
  const log = await database.db.selectFrom('audit_log').selectAll().execute();
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
])('%j is refused by its field', async (input, field) => {
  expect(await refusalOf(createReseller(ctx(), user(input)))).toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.stringContaining(field)] },
  });
});

test('every wrong field is named at once', async () => {
  expect(await refusalOf(createAdmin(ctx(), { username: '', email: 'x', password: '' }))).toMatchObject({
    message: expect.stringMatching(/\(and \d more errors?\)$/),
    fields: { username: [expect.any(String)], email: [expect.any(String)], password: [expect.any(String)] },
  });
});

test('of 32 who take one name at once exactly one gets it', async () => {
  const results = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      refusalOf(createReseller(ctx(), user({ username: 'contested', email: `c${index}@example.com` }))),
    ),
  );
  expect(results.filter((result) => (result as { resolved?: unknown }).resolved)).toHaveLength(1);
  for (const lost of results.filter((result) => result instanceof Error))
    expect(lost).toMatchObject(taken('username'));
  const rows = await database.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'contested')
    .execute();
  expect(rows).toHaveLength(1);
});

test('a name of an account is taken, and nothing of the refused user stays', async () => {
  await insertAccountRecord(database.db, { username: 'tenant', node_id: 1 });
  const email = 'fresh@example.com';
  expect(await refusalOf(createReseller(ctx(), user({ username: 'TENANT', email })))).toMatchObject(
    taken('username'),
  );
  expect(await createReseller(ctx(), user({ email }))).toMatchObject({ email });
});

test('an address of an admin or reseller is its own, whatever its capitals', async () => {
  await createAdmin(ctx(), user({ email: 'Only.One@Example.com' }));
  expect(await refusalOf(createReseller(ctx(), user({ email: 'only.one@example.COM' })))).toMatchObject(
    taken('email'),
  );
});

test('an address of an end user is no admin’s, and the other way round', async () => {
  await insertAccountRecord(database.db, { username: 'mailer', node_id: 1, email: 'Shared@example.com' });
  expect(await refusalOf(createAdmin(ctx(), user({ email: 'shared@example.com' })))).toMatchObject(
    taken('email'),
  );
  await createAdmin(ctx(), user({ email: 'staff@example.com' }));
  expect(
    await refusalOf(inTransaction(database.db, (trx) => refuseStaffEmail(trx, 'STAFF@example.com'))),
  ).toMatchObject(taken('email'));
});

test('of an end user and a reseller who take one address at once one is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const email = `race${round}@example.com`;
    const barrier = meetingPoint(2);
    const make = (
      role: 'user' | 'reseller',
      check: (trx: Transaction<Database>, id: number) => Promise<void>,
    ) =>
      refusalOf(
        inTransaction(database.db, async (trx) => {
          const username = `${role}-${round}`;
          const id = await insertUser(trx, {
            username,
            name: 'x',
            email,
            role,
            password_hash: '-',
            now: new Date(),
          });
          await barrier();
          await check(trx, id);
        }),
      );
    const results = await Promise.all([
      make('user', (trx) => refuseStaffEmail(trx, email)),
      make('reseller', (trx, id) => takeStaffEmail(trx, email, id)),
    ]);
    const refused = results.filter((result) => result instanceof Error);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject(taken('email'));
  }
});

test.each([
  ['user', 'reseller'],
  ['reseller', 'user'],
] as const)(
  'while a %s with an address is not yet committed, a %s waits for it, and is refused',
  async (first, second) => {
    const email = `first-${first}@example.com`;
    const add = async (trx: Transaction<Database>, role: 'user' | 'reseller') => {
      const username = `${role}-of-${first}`;
      const id = await insertUser(trx, {
        username,
        name: 'x',
        email,
        role,
        password_hash: '-',
        now: new Date(),
      });
      await (role === 'user' ? refuseStaffEmail(trx, email) : takeStaffEmail(trx, email, id));
    };
    const added = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const earlier = inTransaction(database.db, async (trx) => {
      await add(trx, first);
      added.resolve();
      await held.promise;
    });
    await added.promise;
    const later = refusalOf(inTransaction(database.db, (trx) => add(trx, second)));
    await untilItWaitsForALock(database.db, later);
    held.resolve();
    await earlier;
    expect(await later).toMatchObject(taken('email'));
  },
);

test('only admins make them', async () => {
  const reseller = contextOf(database.db, { role: 'reseller', userId: 1 });
  expect(await refusalOf(createAdmin(reseller, user()))).toMatchObject({ code: 'forbidden' });
  expect(await refusalOf(createReseller(reseller, user()))).toMatchObject({ code: 'forbidden' });
});
