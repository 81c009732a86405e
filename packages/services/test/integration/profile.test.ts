import { createAdmin, createReseller, findSession, setOwnProfile, signIn } from '@innkeeper/services';
import { expect, test } from 'vitest';
import { auditOfTarget, rowOf } from './fixtures.ts';
import { signedIn, visitor } from './panel-users.ts';
import {
  contextOf,
  fresh,
  insertAccountRecord,
  insertNodeRecord,
  ownDatabase,
  rowsWhere,
  rowWhere,
} from './records.ts';
import { expectRefusal, invalid, taken } from './refusals.ts';

const database = ownDatabase();
const password = 'correct horse';

const newStaff = async (make: typeof createAdmin = createAdmin) => {
  const username = fresh('staff');
  const email = `${username}@example.com`;
  return await make(contextOf(database.db), { username, email, password });
};
const newCustomer = async () => {
  const node_id = await insertNodeRecord(database.db);
  const account_id = await insertAccountRecord(database.db, { username: fresh('cust'), node_id });
  return await rowOf(database.db, account_id);
};
const as = (userId: number) => signedIn(database.db, userId);

test('an admin changes name and address; the former address is free, and sessions stay', async () => {
  const { id, username, email } = await newStaff();
  const { session } = await signIn(visitor(database.db), { username, password });
  await setOwnProfile(as(id), { name: ' Ada L. ', email: `New.${email}` });
  expect(await rowWhere(database.db, 'users', { id })).toMatchObject({
    name: 'Ada L.',
    email: `New.${email}`,
    email_lower: `new.${email}`,
  });
  expect(await findSession(database.db, { token: session?.token ?? '', now: new Date() })).not.toBeNull();
  expect(await auditOfTarget(database.db, `user:${id}`)).toContain('user.profile');
  const other = await newStaff(createReseller);
  await setOwnProfile(as(other.id), { name: other.name, email });
  expect((await rowsWhere(database.db, 'staff_emails', { user_id: other.id })).length).toBe(1);
});

test('a second call with the same values changes nothing, and the case of an address can change', async () => {
  const { id, name, email } = await newStaff();
  await setOwnProfile(as(id), { name, email: email.toUpperCase() });
  const before = await auditOfTarget(database.db, `user:${id}`);
  await setOwnProfile(as(id), { name, email: email.toUpperCase() });
  expect(await auditOfTarget(database.db, `user:${id}`)).toEqual(before);
  expect((await rowsWhere(database.db, 'staff_emails', { user_id: id }))[0]?.email_lower).toBe(email);
});

test('an address of staff is refused to everybody, one of a customer to staff, and two customers may share one', async () => {
  const [staff, other] = [await newStaff(), await newStaff(createReseller)];
  const [one, two] = [await newCustomer(), await newCustomer()];
  await expectRefusal(
    setOwnProfile(as(staff.id), { name: 'x', email: other.email.toUpperCase() }),
    taken('email'),
  );
  await expectRefusal(setOwnProfile(as(staff.id), { name: 'x', email: one.email }), taken('email'));
  await expectRefusal(setOwnProfile(as(one.user_id), { name: 'x', email: staff.email }), taken('email'));
  expect(await rowWhere(database.db, 'users', { id: staff.id })).toMatchObject({ email: staff.email });
  expect(await rowWhere(database.db, 'staff_emails', { user_id: staff.id })).toMatchObject({
    email_lower: staff.email,
  });
  await setOwnProfile(as(one.user_id), { name: 'x', email: two.email });
});

test('a customer changes its account too, without work for its server', async () => {
  const before = await newCustomer();
  const email = `${before.username}@elsewhere.example`;
  await setOwnProfile(as(before.user_id), { name: 'New Name', email });
  const after = await rowOf(database.db, before.id);
  expect(after).toMatchObject({ name: 'New Name', email, generation: before.generation });
  const [entry] = await rowsWhere(database.db, 'audit_log', { account_id: before.id });
  expect(JSON.parse(entry?.details ?? '{}')).toEqual({
    before: { name: before.name, email: before.email },
    after: { name: 'New Name', email },
  });
});

test.each([
  [{ name: '', email: 'a@example.com' }, 'name'],
  [{ name: 'a\u0007', email: 'a@example.com' }, 'name'],
  [{ name: 'a', email: 'nobody' }, 'email'],
  [{ name: 'a', email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
])('%j is refused at its field', async (input, field) => {
  const { id } = await newStaff();
  await expectRefusal(setOwnProfile(as(id), input), invalid({ [field]: expect.any(String) }));
});
