import {
  createAccount,
  createAdmin,
  type MailMessage,
  type OutboxContext,
  type SendOutcome,
  sendDueMails,
  sendTestMail,
  setMailSettings,
  setOwnLanguage,
  sweepMails,
  type UserContext,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { addOnlineNode, addPackage } from './fixtures.ts';
import { contextOf, fresh, ownDatabase, rowsWhere, sealer, updateRows } from './records.ts';
import { expectRefusal, forbidden, invalid } from './refusals.ts';

const database = ownDatabase();
const ports = [587];
const settings = {
  host: 'smtp.example.com',
  port: 587,
  encryption: 'starttls',
  username: 'panel',
  smtp_password: 'smtp secret',
  sender_name: 'Panel',
  sender_address: 'noreply@example.com',
} as const;
let adminId: number;

const admin = () => contextOf(database.db, { userId: adminId });
beforeEach(async () => {
  await sql`delete from outbox_mails`.execute(database.db);
  await sql`delete from mail_settings`.execute(database.db);
  const username = fresh('boss');
  const input = { username, email: `${username}@example.com`, password: 'correct horse' };
  adminId = (await createAdmin(contextOf(database.db), input)).id;
  await setMailSettings(admin(), { ...settings, ports });
});

/** An instance that sends with `answers` in turn, and then successfully. */
function instance(...answers: (SendOutcome | (() => Promise<SendOutcome>))[]) {
  const sent: MailMessage[] = [];
  const servers: unknown[] = [];
  const ctx: OutboxContext = {
    db: database.db,
    sealer,
    now: () => new Date(),
    publicUrl: 'https://panel.example.com',
    sendMail: async (server, message) => {
      servers.push(server);
      sent.push(message);
      const answer = answers.shift() ?? { result: 'sent' };
      return typeof answer === 'function' ? await answer() : answer;
    },
  };
  return { sent, servers, run: () => sendDueMails(ctx, { limit: 5 }) };
}
const mails = () => rowsWhere(database.db, 'outbox_mails');
/** The user itself in the panel, or an operator who is logged in as the user. */
const userOf = (userId: number, operatorUserId?: number): UserContext =>
  ({ ...admin(), actor: { userId, tokenId: null, address: '192.0.2.1', operatorUserId } }) as never;
const rowNow = async () => (await mails())[0];
/** Lets every mail be due, as after its pause or its lease. */
const makeDue = () =>
  sql`update outbox_mails set next_attempt_at = now(6) - interval 1 second where state = 'waiting'`.execute(
    database.db,
  );
const failed = { result: 'failed', reason: '450 later' } as const;
/** Seconds until the next attempt. */
const pause = async () => {
  const { rows } = await sql<{ s: number }>`select timestampdiff(second, now(6), next_attempt_at) as s
    from outbox_mails`.execute(database.db);
  return Number(rows[0]?.s) + 1;
};

test('a mail is sent once, with the opened password, and the row has neither password nor address', async () => {
  await sendTestMail(admin());
  const one = instance();
  expect(await one.run()).toEqual([]);
  expect(one.servers).toMatchObject([
    { host: 'smtp.example.com', username: 'panel', password: 'smtp secret' },
  ]);
  expect(one.sent).toMatchObject([{ subject: 'Test mail' }]);
  await makeDue();
  await one.run();
  expect(one.sent).toHaveLength(1);
  expect(await rowNow()).toMatchObject({ state: 'sent', attempts: 1, kind: 'test', user_id: adminId });
  const [row] = await rowsWhere(database.db, 'mail_settings');
  expect(JSON.stringify([row, await mails(), await rowsWhere(database.db, 'audit_log')])).not.toContain(
    'smtp secret',
  );
});

test('a mail is in the language of the page on which it was requested, else in that of its reader', async () => {
  const one = instance();
  await sendTestMail(admin(), { language: 'de' });
  await one.run();
  await setOwnLanguage(userOf(adminId), { language: 'de' });
  await sendTestMail(admin());
  await one.run();
  await setOwnLanguage(userOf(adminId, adminId), { language: 'en' });
  await sendTestMail(admin());
  await one.run();
  await sendTestMail(admin(), { language: 'en' });
  await one.run();
  // A language that mails do not have.
  await sendTestMail(admin(), { language: 'xx' });
  await one.run();
  expect(one.sent.map(({ subject }) => subject)).toEqual([
    'Testmail',
    'Testmail',
    'Testmail',
    'Test mail',
    'Testmail',
  ]);
  expect(one.sent[0]?.text).toMatch(/^Guten Tag /);
  expect(one.sent[0]?.html).toContain('<html lang="de">');
});

test('of two instances one sends a mail', async () => {
  for (let i = 0; i < 10; i += 1) await sendTestMail(admin());
  const [one, two] = [instance(), instance()];
  for (let round = 0; round < 4; round += 1) await Promise.all([one.run(), two.run()]);
  expect(one.sent.length + two.sent.length).toBe(10);
  expect((await mails()).every(({ state, attempts }) => state === 'sent' && attempts === 1)).toBe(true);
});

test('an attempt counts before the mail is sent; after a crash another instance sends the mail', async () => {
  await sendTestMail(admin());
  const { promise: never, resolve: end } = Promise.withResolvers<SendOutcome>();
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const crashed = instance(() => {
    begin();
    return never;
  });
  const hanging = crashed.run();
  await began;
  expect(await rowNow()).toMatchObject({ state: 'waiting', attempts: 1 });
  const other = instance();
  await other.run();
  expect(other.sent).toEqual([]);
  await makeDue();
  await other.run();
  expect(other.sent).toHaveLength(1);
  expect(await rowNow()).toMatchObject({ state: 'sent', attempts: 2 });
  // The first instance was only slow: what it says now changes nothing.
  end({ result: 'refused', reason: '550 late' });
  expect(await hanging).toEqual([{ id: expect.any(Number), reason: '550 late' }]);
  expect(await rowNow()).toMatchObject({ state: 'sent', attempts: 2 });
});

test('a failed attempt is repeated after 1 minute, doubling, until the mail is sent', async () => {
  await sendTestMail(admin());
  await sql`update outbox_mails set expires_at = now(6) + interval 1 day`.execute(database.db);
  const one = instance(failed, failed, failed);
  for (const expected of [60, 120, 240]) {
    await one.run();
    expect(await rowNow()).toMatchObject({ state: 'waiting', outcome: '450 later' });
    expect(Math.abs((await pause()) - expected)).toBeLessThan(15);
    await one.run();
    await makeDue();
  }
  await one.run();
  expect(one.sent).toHaveLength(4);
  expect(await rowNow()).toMatchObject({ state: 'sent', attempts: 4, outcome: null });
});

test('the pause is at most an hour', async () => {
  await sendTestMail(admin());
  await updateRows(database.db, 'outbox_mails', { kind: 'test' }, { attempts: 30 });
  await sql`update outbox_mails set expires_at = now(6) + interval 1 day`.execute(database.db);
  await instance(failed).run();
  expect(Math.abs((await pause()) - 3_600)).toBeLessThan(15);
});

test('a final refusal ends the attempts and is reported', async () => {
  await sendTestMail(admin());
  const one = instance({ result: 'refused', reason: '550 no such mailbox' });
  expect(await one.run()).toEqual([{ id: expect.any(Number), reason: '550 no such mailbox' }]);
  expect(await rowNow()).toMatchObject({ state: 'failed', outcome: '550 no such mailbox' });
  await makeDue();
  await one.run();
  expect(one.sent).toHaveLength(1);
});

test('a mail that expires before its next attempt has failed, and an expired one is not sent', async () => {
  await sendTestMail(admin());
  await sql`update outbox_mails set expires_at = now(6) + interval 30 second`.execute(database.db);
  await instance(failed).run();
  expect(await rowNow()).toMatchObject({ state: 'failed', outcome: '450 later' });
  await sql`update outbox_mails set state = 'waiting', expires_at = now(6) - interval 1 second`.execute(
    database.db,
  );
  await makeDue();
  const late = instance();
  await late.run();
  expect(late.sent).toEqual([]);
  expect(await rowNow()).toMatchObject({ state: 'failed', outcome: 'It expired before it was sent.' });
});

test('without a mail server a mail waits', async () => {
  await sendTestMail(admin());
  await sql`delete from mail_settings`.execute(database.db);
  const one = instance();
  await one.run();
  expect(one.sent).toEqual([]);
  expect(await rowNow()).toMatchObject({ state: 'waiting', outcome: 'No mail server is set.' });
});

/** Creates an account with a welcome mail. Its server has not reported it yet. */
async function welcomed(): Promise<number> {
  await addOnlineNode(database.db);
  const package_id = await addPackage(database.db);
  const username = fresh('tenant');
  const person = { username, name: 'A Tenant', email: `${username}@example.com`, password: 'correct horse' };
  const input = { ...person, package_id } as Parameters<typeof createAccount>[1];
  return (await createAccount(admin(), input, { welcome: 'yes' })).accountId;
}

test('a welcome waits until the server has the account, and its link works for 48 hours', async () => {
  const id = await welcomed();
  const one = instance();
  await one.run();
  expect(one.sent).toEqual([]);
  expect(await rowNow()).toMatchObject({
    kind: 'welcome',
    state: 'waiting',
    outcome: 'The server has not created the account yet.',
  });
  expect(Math.abs((await pause()) - 10)).toBeLessThan(5);
  await updateRows(database.db, 'accounts', { id }, { first_applied_at: new Date() });
  await makeDue();
  await one.run();
  expect(one.sent).toHaveLength(1);
  expect(one.sent[0]?.text).toContain('https://panel.example.com/password/link/');
  expect(one.sent[0]?.text).not.toContain('correct horse');
  expect(await rowNow()).toMatchObject({ state: 'sent', outcome: null });
  const { rows } = await sql<{ h: number }>`select timestampdiff(hour, created_at, expires_at) as h
    from password_links order by created_at desc limit 1`.execute(database.db);
  expect(Number(rows[0]?.h)).toBe(48);
});

test('a create that is rolled back welcomes nobody', async () => {
  const id = await welcomed();
  await updateRows(database.db, 'accounts', { id }, { state: 'terminating' });
  const one = instance();
  await one.run();
  expect(one.sent).toEqual([]);
  expect(await rowNow()).toMatchObject({ state: 'dropped' });
});

test('rows are deleted a week after they expired', async () => {
  await sendTestMail(admin());
  expect(await sweepMails(database.db, { limit: 10 })).toBe(0);
  await sql`update outbox_mails set expires_at = now(6) - interval 8 day`.execute(database.db);
  expect(await sweepMails(database.db, { limit: 10 })).toBe(1);
  expect(await mails()).toEqual([]);
});

test('the stored password stays for the same server only', async () => {
  const { smtp_password: _, ...same } = settings;
  await setMailSettings(admin(), { ...same, sender_name: 'Other', ports });
  expect((await rowsWhere(database.db, 'mail_settings'))[0]?.sealed_password).toBeTypeOf('string');
  for (const change of [{ host: 'thief.example.com' }, { encryption: 'tls' }, { username: 'other' }] as const)
    await expectRefusal(
      setMailSettings(admin(), { ...same, ...change, ports }),
      invalid({ smtp_password: expect.stringContaining('Enter the password again') }),
    );
});

test.each([
  [{ host: 'no spaces' }, 'host'],
  [{ host: 'a\r\nb.example.com' }, 'host'],
  [{ port: 22 }, 'port'],
  [{ port: 0 }, 'port'],
  [{ encryption: 'maybe' as never }, 'encryption'],
  [{ encryption: 'none' as const }, 'encryption'],
  [{ sender_name: 'a\r\nBcc: x@example.com' }, 'sender_name'],
  [{ sender_address: 'nobody' }, 'sender_address'],
  [{ smtp_password: 'a\r\nb' }, 'smtp_password'],
])('the settings refuse %j', async (input, field) => {
  await expectRefusal(
    setMailSettings(admin(), { ...settings, ...input, ports }),
    invalid({ [field]: expect.any(String) }),
  );
});

test('only an admin sets the mail server', async () => {
  const reseller = contextOf(database.db, { userId: adminId, role: 'reseller' });
  await expectRefusal(
    setMailSettings(reseller, { ...settings, ports }),
    forbidden('This action is unauthorized.'),
  );
  await expectRefusal(sendTestMail(reseller), forbidden('This action is unauthorized.'));
});
