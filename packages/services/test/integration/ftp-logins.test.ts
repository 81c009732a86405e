import {
  changeFtpLogin,
  createFtpLogin,
  getFtpAccess,
  removeFtpLogin,
  terminateAccount,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf, specOf } from './fixtures.ts';
import { rowsWhere } from './records.ts';
import { expectRace, expectRefusal, limitReached, terminating } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount, newestAudit } = rig;

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';
const PASSWORD = 'correct horse';

const add = (account_id: number, suffix = 'web', more: { password?: string; public_keys?: string[] } = {}) =>
  createFtpLogin(admin(), { account_id, suffix, folder: 'domains', password: PASSWORD, ...more });
const loginsIn = async (accountId: number) => (await specOf(rig.db, accountId)).ftp_logins;

test('a login is in the spec of the next generation with a hash, and is audited without it', async () => {
  const id = await newAccount();
  const user = (await rowOf(rig.db, id)).linux_user;
  const ctx = admin();
  const { view, generation } = await createFtpLogin(ctx, {
    account_id: id,
    suffix: 'web',
    folder: 'domains/example.com',
    password: PASSWORD,
    public_keys: [KEY],
  });
  expect(view).toMatchObject({ name: `${user}_web`, folder: 'domains/example.com', has_password: true });
  expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: id, generation: 2 }]);
  expect(await loginsIn(id)).toEqual([
    {
      name: `${user}_web`,
      folder: 'domains/example.com',
      password_hash: expect.stringMatching(/^\$6\$/),
      public_keys: [KEY],
    },
  ]);
  const audited = await newestAudit(id);
  expect(audited).toEqual({
    action: 'ftp-login.create',
    target: `ftp-login:${view.id}`,
    after: {
      name: `${user}_web`,
      folder: 'domains/example.com',
      has_password: true,
      keys: [expect.stringMatching(/^SHA256:/)],
    },
    generation,
  });
  expect(await getFtpAccess(admin(), { account_id: id })).toMatchObject({ user, logins: [view], limit: 5 });
});

test('a change replaces folder, password and keys; the same again changes nothing', async () => {
  const id = await newAccount();
  const { view } = await add(id);
  const [before] = await loginsIn(id);
  const change = { ftp_login_id: view.id, folder: 'logs', public_keys: [KEY] };
  await changeFtpLogin(admin(), change);
  expect(await loginsIn(id)).toEqual([{ ...before, folder: 'logs', public_keys: [KEY] }]);
  expect(await newestAudit(id)).toMatchObject({ action: 'ftp-login.update', before: { folder: 'domains' } });
  const { generation } = await changeFtpLogin(admin(), change);
  expect(generation).toBe(3);

  await changeFtpLogin(admin(), { ...change, password: 'another one' });
  const [after] = await loginsIn(id);
  expect(after?.password_hash).not.toBe(before?.password_hash);
  expect(await newestAudit(id)).toMatchObject({ replaced: ['password'] });
  await changeFtpLogin(admin(), { ...change, removes_password: true });
  expect((await loginsIn(id))[0]?.password_hash).toBeNull();
});

test('a login that nobody could use is refused', async () => {
  const id = await newAccount();
  const nothing = { code: 'invalid', fields: { password: [expect.stringContaining('is required')] } };
  const empty = { account_id: id, suffix: 'web', folder: 'domains' };
  await expectRefusal(createFtpLogin(admin(), empty), nothing);
  const { view } = await add(id);
  const change = { ftp_login_id: view.id, folder: 'domains', removes_password: true };
  await expectRefusal(changeFtpLogin(admin(), change), nothing);
  expect(await loginsIn(id)).toHaveLength(1);
});

test('a removed login leaves the spec at once', async () => {
  const id = await newAccount();
  const { view } = await add(id);
  await removeFtpLogin(admin(), { ftp_login_id: view.id });
  expect(await loginsIn(id)).toEqual([]);
  expect(await newestAudit(id)).toMatchObject({ action: 'ftp-login.delete', before: { name: view.name } });
  await expectRefusal(removeFtpLogin(admin(), { ftp_login_id: view.id }), 'not_found');
});

test('a name is given once, also against the user of another account', async () => {
  const id = await newAccount();
  const taken = { code: 'invalid', fields: { suffix: [expect.stringContaining('already been taken')] } };
  await expectRace({ calls: 3, winners: 1, refusal: taken }, () => add(id, 'one'));
  const other = await newAccount();
  const user = (await rowOf(rig.db, id)).linux_user;
  await rig.db
    .updateTable('accounts')
    .set({ linux_user: `${user}_two` })
    .where('id', '=', other)
    .execute();
  await expectRefusal(add(id, 'two'), taken);
});

test('an account has at most as many logins as its package allows', async () => {
  const id = await newAccount();
  const { package_id } = await rowOf(rig.db, id);
  await rig.db.updateTable('packages').set({ max_ftp_logins: 2 }).where('id', '=', package_id).execute();
  await add(id, 'one');
  await expectRace({ calls: 3, winners: 1, refusal: limitReached('FTP login', 2) }, (at) =>
    add(id, `n${at}`),
  );
  await rig.db.updateTable('packages').set({ max_ftp_logins: 5 }).where('id', '=', package_id).execute();
});

test('a reseller cannot see or change the logins of an account that is not its own', async () => {
  const id = await newAccount();
  const { view } = await add(id);
  const other = await addReseller(rig.db);
  const mine = { account_id: id, suffix: 'x', folder: 'domains', password: PASSWORD };
  await expectRefusal(createFtpLogin(other, mine), 'not_found');
  await expectRefusal(changeFtpLogin(other, { ftp_login_id: view.id, folder: 'logs' }), 'not_found');
  await expectRefusal(removeFtpLogin(other, { ftp_login_id: view.id }), 'not_found');
  await expectRefusal(getFtpAccess(other, { account_id: id }), 'not_found');
});

test('an account that is being terminated gets no login', async () => {
  const id = await newAccount();
  await terminateAccount(admin(), { account_id: id });
  await expectRefusal(add(id), terminating);
  expect(await rowsWhere(rig.db, 'ftp_logins', { account_id: id })).toEqual([]);
});
