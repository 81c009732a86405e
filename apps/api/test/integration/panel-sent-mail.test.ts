import { setPackageMail } from '@innkeeper/services';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer, signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let customer: Customer;
let admin: PageVisitor;
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
});
beforeEach(async () => {
  customer = await newCustomer(rig);
});

const PASSWORD = 'a relay password that nobody may read';
const relay = {
  host: 'relay.example.com',
  port: '587',
  encryption: 'starttls',
  username: 'hoster',
  relay_password: PASSWORD,
  sender_domain: 'mail.example.com',
};

describe('the relay', () => {
  it('without one, customers and operators read why nothing is sent', async () => {
    expect((await customer.visitor.open('/sent-mail')).text).toContain('has not set up a mail relay');
    expect((await admin.open(`/accounts/${customer.accountId}/mail`)).text).toContain('has no mail relay');
    expect((await admin.open('/mail-relay')).text).toContain(
      'There is no relay, so accounts cannot send mail.',
    );
  });

  it('is saved, reaches the server, is shown as applied, and its password is on no page', async () => {
    await admin.open('/mail-relay');
    const saved = await admin.send('/mail-relay', relay);
    expect(saved.text).toContain('The relay was saved.');
    await expect
      .poll(() => rig.node.settings?.mail_relay, { timeout: 10_000 })
      .toMatchObject({ host: 'relay.example.com', sign_in: { username: 'hoster', password: PASSWORD } });
    await rig.node.heartbeat();
    const { text, html } = await admin.open('/mail-relay');
    expect(text).toMatch(/of the installation applied/);
    expect(html).not.toContain(PASSWORD);
    expect(html).toContain('value="relay.example.com"');
    rig.node.behaviour.settingsProblem = 'Postfix is not installed on this server.';
    await rig.node.heartbeat();
    expect((await admin.open('/mail-relay')).text).toContain('not applied Postfix is not installed');
  });

  it('a wrong field is refused at its field, and a password that the confirmation drops does not stay silently', async () => {
    await admin.open('/mail-relay');
    const refused = await admin.send('/mail-relay', { ...relay, encryption: 'none' });
    expect([refused.status, refused.errorAt('encryption')]).toEqual([
      422,
      expect.stringContaining('no sign-in'),
    ]);
    await rig.db.updateTable('sessions').set({ proved_at: null }).execute();
    const asked = await admin.send('/mail-relay', relay);
    expect(asked.text).not.toContain('The relay was saved.');
    expect(asked.html).not.toContain(PASSWORD);
    admin = await signedIn(rig, 'root-admin');
  });

  it('a test mail goes from a server, and the page shows what the relay said', async () => {
    const path = `/nodes/${rig.node.id}/mail-relay`;
    let state = { to: null as string | null, sent_at: null as number | null, state: 'none', answer: '' };
    rig.node.behaviour.answer = (verb, honest, question) => {
      if (verb !== 'mail-test') return honest;
      const { to } = question as { to: string | null };
      if (to !== null) state = { to, sent_at: Date.now(), state: 'waiting', answer: '' };
      return state;
    };
    expect((await admin.open(path)).text).toContain('No test mail was sent');
    expect((await admin.send(`${path}/test`, { to: 'nobody' })).errorAt('to')).toContain('email');
    await admin.open(path);
    expect((await admin.send(`${path}/test`, { to: 'ops@example.com' })).text).toContain(
      'waiting for the relay',
    );
    state = { ...state, state: 'refused', answer: '550 <script>no such user' };
    const { text, html } = await admin.open(path);
    expect(text).toContain('refused by the relay');
    expect(html).toContain('550 &lt;script&gt;no such user');
    rig.node.behaviour.answer = () => undefined;
    await admin.open(path);
    expect((await admin.send(`${path}/test`, { to: 'ops@example.com' })).text).toContain('did not answer');
  });

  it('a server has one of its own until it is removed', async () => {
    const path = `/nodes/${rig.node.id}/mail-relay`;
    await admin.open(path);
    await admin.send(path, { ...relay, host: 'own.example.com' });
    await expect.poll(() => rig.node.settings?.mail_relay?.host, { timeout: 10_000 }).toBe('own.example.com');
    await admin.open(path);
    expect((await admin.send(`${path}/remove`)).text).toContain('The relay was removed.');
    await expect
      .poll(() => rig.node.settings?.mail_relay?.host, { timeout: 10_000 })
      .toBe('relay.example.com');
  });

  it.each(['/mail-relay', '/nodes/1/mail-relay'])('%s is for admins only', async (path) => {
    const reseller = await signedIn(rig, 'acme');
    expect((await reseller.open(path)).status).toBe(404);
    expect((await customer.visitor.open(path)).status).toBe(404);
    expect((await new PageVisitor(rig.origin).open(path)).path).toMatch(/^\/login/);
  });
});

describe('what an account sent', () => {
  it('is shown live, with the limits of the package and the reason why mail waits', async () => {
    const hour = Math.floor(Date.now() / 3_600_000);
    rig.node.behaviour.answer = (verb, honest, question) =>
      verb === 'account-mail'
        ? {
            mail: {
              account_id: (question as { account_id: number }).account_id,
              hour,
              hour_sent: 37,
              hour_refused: 2,
              day: Math.floor(hour / 24),
              day_sent: 41,
              day_refused: 3,
              queued: 6,
            },
            waits_because: '454 <b>try later',
          }
        : honest;
    const { text, html } = await customer.visitor.open('/sent-mail');
    expect(text).toContain('37 of 100');
    expect(text).toContain('41 of 500');
    expect(text).toContain('Refused by the limits today 3');
    expect(text).toContain('Messages in the queue 6');
    expect(html).toContain('454 &lt;b&gt;try later');
    expect(text).toContain('mail.example.com');
    expect((await admin.open(`/accounts/${customer.accountId}/mail`)).text).toContain('37 of 100');
  });

  it('of another account is not there, for customers and for resellers', async () => {
    const other = await newCustomer(rig);
    const path = `/accounts/${other.accountId}/mail`;
    expect((await customer.visitor.open(path)).status).toBe(404);
    const reseller = await signedIn(rig, 'acme');
    expect((await reseller.open(path)).status).toBe(404);
  });

  it('a package without mail, and a suspended account, say so', async () => {
    const package_id = await rig.db
      .selectFrom('accounts')
      .select('package_id')
      .where('id', '=', customer.accountId)
      .executeTakeFirstOrThrow();
    await setPackageMail(rig.operator, { ...package_id, mail_per_hour: 0, mail_per_day: 500 });
    expect((await customer.visitor.open('/sent-mail')).text).toContain('does not include sending mail');
    await setPackageMail(rig.operator, { ...package_id, mail_per_hour: 100, mail_per_day: 500 });
    await rig.ask('suspendAccount', { id: customer.accountId });
    expect((await admin.open(`/accounts/${customer.accountId}/mail`)).text).toContain(
      'The account is suspended',
    );
  });
});

describe('the limits of a package', () => {
  it('are set by an admin on its page, and are in the spec of its accounts', async () => {
    const path = `/packages/${rig.packages.large}`;
    const { id } = await rig.createAccount();
    await admin.open(path);
    const wrong = await admin.send(`${path}/mail`, { mail_per_hour: '-1', mail_per_day: '5' });
    expect([wrong.status, wrong.errorAt('mail_per_hour')]).toEqual([422, expect.any(String)]);
    await admin.open(path);
    const saved = await admin.send(`${path}/mail`, { mail_per_hour: '20', mail_per_day: '50' });
    expect(saved.text).toContain('The limits of mail of');
    await expect
      .poll(() => rig.node.accounts.get(id)?.mail, { timeout: 10_000 })
      .toEqual({ per_hour: 20, per_day: 50 });
    const reseller = await signedIn(rig, 'acme');
    expect((await reseller.open(path)).html).not.toContain(`${path}/mail`);
    // The REST API keeps its shape.
    const packages = await rig.ask('listPackages');
    expect(JSON.stringify(packages.body)).not.toContain('mail_per');
  });
});
