import {
  MAIL_PASSWORD,
  MAIL_USERNAME,
  startMailServer,
  type TestMailServer,
} from '@innkeeper/testkit/mail-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const server: TestMailServer = await startMailServer();
const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };
const rig = useControlPlaneRig({ smtpPorts: [server.port, 587], logLevel: 'debug' }, log);
let admin: PageVisitor;
beforeAll(async () => {
  admin = new PageVisitor(rig.origin);
  await admin.signIn('root-admin', STAFF_PASSWORD);
});
afterAll(() => server[Symbol.asyncDispose]());

const fields = {
  host: 'localhost',
  port: String(server.port),
  encryption: 'none',
  username: MAIL_USERNAME,
  smtp_password: MAIL_PASSWORD,
  sender_name: 'Northgate',
  sender_address: 'noreply@northgate.example',
};
const unprove = () => rig.db.updateTable('sessions').set({ proved_at: null }).execute();
const storedPassword = async () =>
  (await rig.db.selectFrom('mail_settings').select('sealed_password').executeTakeFirst())?.sealed_password;

it('an admin sets the mail server and gets a test mail; no page, row or log line has the password', async () => {
  await admin.open('/mail');
  expect((await admin.send('/mail/test')).text).toContain('Save the settings of the mail server first.');
  await admin.open('/mail');
  const saved = await admin.send('/mail', fields);
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('The mail server was saved.')]);
  expect((await admin.send('/mail/test')).text).toContain('The test mail is in the outbox.');
  await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1);
  expect(server.received).toMatchObject([{ from: 'noreply@northgate.example', to: ['admin@panel.test'] }]);
  await expect
    .poll(async () => (await admin.open('/mail')).text, { timeout: 20_000 })
    .toContain('Test root-admin sent');
  const rows = await rig.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', 'like', 'mail.%')
    .execute();
  expect(JSON.stringify([admin.page.html, rows, lines])).not.toContain(MAIL_PASSWORD);
});

it('a password that the confirmation of the identity drops does not silently keep the stored one', async () => {
  await admin.open('/mail');
  await admin.send('/mail', fields);
  const before = await storedPassword();
  await unprove();
  const asked = await admin.send('/mail', { ...fields, smtp_password: 'another secret' });
  expect([asked.status, asked.html]).toEqual([403, expect.not.stringContaining('another secret')]);
  const carried = Object.fromEntries(
    [...asked.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const { _csrf, back: _back, ...form } = carried;
  const again = await admin.send('/mail', { ...form, proof_password: STAFF_PASSWORD });
  expect([again.status, again.errorAt('smtp_password')]).toEqual([
    422,
    expect.stringContaining('does not carry passwords'),
  ]);
  expect(await storedPassword()).toBe(before);
  expect(again.html).toContain(`value="${fields.sender_address}"`);
  expect((await admin.send('/mail', { ...fields, smtp_password: 'another secret' })).status).toBe(200);
  expect(await storedPassword()).not.toBe(before);
  await admin.open('/mail');
  expect((await admin.send('/mail', { ...fields, smtp_password: '' })).status).toBe(200);
});

it('a refused mail is on the page with the answer of the server, and in the log without its recipient', async () => {
  await admin.open('/mail');
  await admin.send('/mail', fields);
  server.refusals.push(550);
  await admin.send('/mail/test');
  await expect
    .poll(async () => (await admin.open('/mail')).text, { timeout: 20_000 })
    .toContain('failed 550 refused by the test');
  const line = lines.find((text) => text.includes('a mail could not be sent'));
  expect(line).toContain('550 refused by the test');
  expect(line).not.toContain('admin@panel.test');
});

it('a reseller and a visitor see nothing of it', async () => {
  const reseller = new PageVisitor(rig.origin);
  await reseller.signIn('acme', STAFF_PASSWORD);
  expect((await reseller.open('/mail')).status).toBe(404);
  await reseller.open('/security');
  expect((await reseller.send('/mail', fields)).status).toBe(404);
  expect((await new PageVisitor(rig.origin).open('/mail')).path).toContain('/login');
});

it('the settings can be removed', async () => {
  await admin.open('/mail');
  await admin.send('/mail', fields);
  expect((await admin.send('/mail/remove')).text).toContain('The mail server was removed.');
  expect(await storedPassword()).toBeUndefined();
});
