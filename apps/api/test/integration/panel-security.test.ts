import {
  authenticateToken,
  createAdmin,
  createReseller,
  createToken,
  findSession,
} from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Instance, startControlPlaneRig, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let other: Instance;
let serial = 0;
beforeAll(async () => {
  other = await rig.addInstance();
});

const password = 'correct horse';
const own = 'correct horse battery';
const visitor = (headers: Record<string, string> = {}) => {
  serial += 1;
  return new PageVisitor(rig.origin, {
    'X-Forwarded-For': `198.51.100.${serial}`,
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...headers,
  });
};
const signedIn = async (username: string, typed = password): Promise<PageVisitor> => {
  const someone = visitor();
  await someone.signIn(username, typed);
  await someone.open('/security');
  return someone;
};
const newStaff = async (make: typeof createAdmin = createAdmin): Promise<string> => {
  serial += 1;
  const username = `staff${serial}`;
  await make(rig.operator, {
    username,
    name: `Staff <${serial}>`,
    email: `${username}@example.com`,
    password,
  });
  return username;
};
const newCustomer = async (more: object = {}): Promise<string> =>
  (await rig.createAccount({ package_id: rig.packages.small, ...more })).username;
/** Fields of the form that changes the password. */
const changed = (fields: Record<string, string> = {}) => ({
  current_password: password,
  password: 'battery staple',
  repeated_password: fields.password ?? 'battery staple',
  ...fields,
});
const accountOf = async (username: string) =>
  await rig.db
    .selectFrom('accounts')
    .select(['id', 'generation', 'observed_generation', 'linux_password_hash'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
const codeOf = (secret: string, aheadSeconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + aheadSeconds * 1_000 });

describe('the page of a user of any role', () => {
  it('the page shows the user and its browsers', async () => {
    for (const [username, role, refused] of [
      [await newStaff(), 'Administrator', 200],
      [await newStaff(createReseller), 'Reseller', 200],
      [await newCustomer(), 'Customer', 404],
    ] as const) {
      const someone = await signedIn(username);
      const { text, html } = someone.page;
      expect(text).toContain(`Username ${username}`);
      expect(text).toContain(`Email ${username}@example.com`);
      expect(text).toContain(`Role ${role}`);
      expect(text).toContain('Firefox on Linux this browser');
      expect(html).not.toContain('Staff <');
      expect((await someone.open('/security/tokens')).status).toBe(refused);
    }
  });

  it('a user signs out one other browser or all others, and nobody else’s', async () => {
    const [username, stranger] = [await newStaff(), await newStaff()];
    const [here, second, third, foreign] = [
      await signedIn(username),
      await signedIn(username),
      await signedIn(username),
      await signedIn(stranger),
    ];
    const idOf = async (who: PageVisitor) => {
      const token = who.cookies.get('innkeeper_session') ?? '';
      return (await findSession(rig.db, { token, now: new Date() }))?.session.id;
    };
    const [secondId, foreignId] = [await idOf(second), await idOf(foreign)];
    await here.open('/security');
    expect(await here.send(`/security/sessions/${foreignId}/end`)).toMatchObject({ status: 404 });
    expect(await idOf(foreign)).toBe(foreignId);
    await here.open('/security');
    expect((await here.send(`/security/sessions/${secondId}/end`)).text).toContain(
      'That browser is signed out.',
    );
    expect([await idOf(second), typeof (await idOf(third))]).toEqual([undefined, 'number']);
    expect((await here.send('/security/sessions/end-others')).path).toBe('/security');
    expect(await idOf(third)).toBe(undefined);
    expect(here.page.text).not.toContain('Sign out all others');
    expect(await idOf(foreign)).toBe(foreignId);
  });
});

describe('two factor authentication', () => {
  it('a code of the shown secret turns it on, and a code turns it off', async () => {
    const someone = await signedIn(await newStaff());
    expect(someone.page.text).toContain('Two-factor authentication off');
    const first = await someone.open('/security/two-factor');
    const [secret = '', set_up] = [/[A-Z2-7]{32}/.exec(first.html)?.[0], field(first.html, 'set_up')];
    expect(first.html).toContain('<svg viewBox=');
    expect(set_up).not.toContain(secret);
    const elsewhere = await someone.open('/security/two-factor');
    expect(elsewhere.html).not.toContain(secret);
    const wrong = await someone.send('/security/two-factor', { set_up, code: '000000' });
    expect(wrong).toMatchObject({ status: 422 });
    expect(wrong.html).toContain(secret);
    expect(field(wrong.html, 'set_up')).toBe(set_up);
    const on = await someone.send('/security/two-factor', { set_up, code: codeOf(secret, -30) });
    const codes = [...on.html.matchAll(/<li>([a-z2-7-]{19})<\/li>/g)].map(([, code = '']) => code);
    expect([on.status, codes.length]).toEqual([200, 10]);
    expect(on.headers.get('Cache-Control')).toBe('no-store');
    const [, download = ''] = /href="data:text\/plain,([^"]*)"/.exec(on.html) ?? [];
    expect(decodeURIComponent(download).trim().split('\n').slice(-10)).toEqual(codes);
    expect(JSON.stringify([...someone.cookies])).not.toMatch(new RegExp(codes.join('|')));

    const page = await someone.open('/security');
    expect(page.text).toContain('10 of your recovery codes are left');
    for (const code of codes) expect(page.html).not.toContain(code);
    await someone.send('/security/two-factor', { set_up, code: codeOf(secret) });
    expect(someone.page).toMatchObject({ status: 200, path: '/security' });
    expect(someone.page.text).toContain('Two-factor authentication is enabled already.');
    expect((await someone.open('/security/two-factor')).path).toBe('/security');

    const [used = ''] = codes;
    const renewed = await someone.send('/security/two-factor/renew', { renew_code: used });
    expect(renewed.text).toContain('Your old recovery codes no longer work.');
    await someone.open('/security');
    const refused = await someone.send('/security/two-factor/disable', { disable_code: codes[1] ?? '' });
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.html).toMatch(/<details class="confirm" open/);
    expect(refused.text).toContain('This code is wrong.');
    const off = await someone.send('/security/two-factor/disable', { disable_code: codeOf(secret) });
    expect(off.text).toContain('Two-factor authentication is off.');
    expect(off.path).toBe('/security');
  }, 60_000);

  it('the secret that another session was shown does not confirm it', async () => {
    const username = await newStaff();
    const [one, two] = [await signedIn(username), await signedIn(username)];
    const shown = await one.open('/security/two-factor');
    const secret = /[A-Z2-7]{32}/.exec(shown.html)?.[0] ?? '';
    await two.open('/security/two-factor');
    const taken = await two.send('/security/two-factor', {
      set_up: field(shown.html, 'set_up'),
      code: codeOf(secret),
    });
    expect(taken).toMatchObject({ status: 422 });
    expect(taken.text).toContain('This set-up is out of date. Scan the code that is shown now.');
    expect(taken.html).not.toContain(secret);
  });
});

describe('the password', () => {
  it('a user changes it with the current one, which signs the other browsers out', async () => {
    const username = await newStaff();
    const [here, there] = [await signedIn(username), await signedIn(username)];
    const change = (current_password: string, typed: string, repeated_password = typed) =>
      here.send('/security/password', { current_password, password: typed, repeated_password });
    for (const [answer, sentence] of [
      [await change('wrong horse', 'battery staple'), 'The current password is wrong.'],
      [await change(password, 'battery staple', 'battery'), 'The two new passwords do not match.'],
      [await change(password, 'short'), 'Password must be at least 8 characters.'],
    ] as const) {
      expect(answer).toMatchObject({ status: 422 });
      expect(answer.text).toContain(sentence);
      expect(answer.html).not.toMatch(/battery|wrong horse/);
    }
    expect((await change(password, ' battery staple ')).text).toContain('Your password was changed.');
    expect((await there.open('/security')).path).toMatch(/^\/login/);
    expect((await here.open('/security')).path).toBe('/security');
    expect((await signedIn(username, ' battery staple ')).page.path).toBe('/security');
  });

  it('guesses in an open browser are limited', async () => {
    const here = await signedIn(await newStaff());
    const guess = () =>
      here.send('/security/password', {
        current_password: 'wrong horse',
        password: 'battery staple',
        repeated_password: 'battery staple',
      });
    for (let i = 0; i < 10; i += 1) expect(await guess()).toMatchObject({ status: 422 });
    const refused = await guess();
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./);
  }, 60_000);

  it('a customer changes the account’s password with the current one, also on its server', async () => {
    const username = await newCustomer({ terminal_access: true });
    const [here, there] = [await signedIn(username), await signedIn(username)];
    const plain = await signedIn(await newCustomer());
    expect(here.page.text).toContain('This password is for this panel, SSH and SFTP.');
    expect(plain.page.text).toContain('This password is for this panel. When you change it,');
    const before = await accountOf(username);
    for (const [fields, sentence] of [
      [changed({ current_password: 'wrong horse' }), 'The current password is wrong.'],
      [changed({ current_password: '' }), 'The current password is wrong.'],
      [changed({ repeated_password: 'battery' }), 'The two new passwords do not match.'],
      [changed({ password: 'short' }), 'Password must be at least 8 characters.'],
    ] as const) {
      const answer = await here.send('/security/password', fields);
      expect(answer).toMatchObject({ status: 422 });
      expect(answer.text).toContain(sentence);
      expect(answer.html).not.toMatch(/battery|wrong horse/);
    }
    expect(await accountOf(username)).toEqual(before);

    const done = await here.send('/security/password', changed());
    expect(done).toMatchObject({ status: 200, path: '/security' });
    expect(done.text).toContain('Your password was changed. All your other browsers are signed out.');
    expect(done.text).not.toContain('accept the old password');
    expect((await there.open('/security')).path).toMatch(/^\/login/);
    expect((await here.open('/security')).path).toBe('/security');
    expect((await visitor().signIn(username, password)).status).toBe(422);
    expect((await signedIn(username, 'battery staple')).page.path).toBe('/security');
    const after = await accountOf(username);
    expect(after.linux_password_hash).not.toBe(before.linux_password_hash);
    expect(after.observed_generation).toBe(after.generation);
    expect((await here.open('/')).text).toContain('The password of the account was changed.');
  });

  it('the page says that the customer’s server has not applied the new password yet', async () => {
    const here = await signedIn(await newCustomer({ terminal_access: true }));
    rig.node.behaviour.delayMs = () => 4_000;
    const { text } = await here.send('/security/password', changed());
    rig.node.behaviour.delayMs = () => 0;
    expect(text).toContain('SSH and SFTP accept the old password until your server has applied the new one.');
  });

  it('guesses at a customer’s password in an open browser are limited', async () => {
    const here = await signedIn(await newCustomer());
    const guess = () => here.send('/security/password', changed({ current_password: 'wrong horse' }));
    for (let i = 0; i < 10; i += 1) expect(await guess()).toMatchObject({ status: 422 });
    expect(await guess()).toMatchObject({ status: 429 });
    expect(await here.send('/security/password', changed())).toMatchObject({ status: 429 });
  }, 60_000);

  it('another site, customer or visitor cannot change a customer’s password', async () => {
    const [mine, theirs] = [await newCustomer(), await newCustomer()];
    const [here, other] = [await signedIn(mine), await signedIn(theirs)];
    const before = await accountOf(mine);
    const token = { _csrf: here.csrfToken() };
    for (const [brought, headers] of [
      [{}, {}],
      [{ _csrf: other.csrfToken() }, {}],
      [token, { Origin: 'https://evil.example' }],
      [token, { 'Sec-Fetch-Site': 'cross-site' }],
    ] as const) {
      const refused = await fetch(`${rig.origin}/security/password`, {
        method: 'POST',
        headers: { Cookie: `innkeeper_session=${here.cookies.get('innkeeper_session')}`, ...headers },
        body: new URLSearchParams({ ...changed(), ...brought }),
      });
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain('This form has expired.');
    }
    await other.open('/security');
    const id = String(before.id);
    await other.send('/security/password', changed({ username: mine, account_id: id, user_id: id }));
    const nobody = visitor();
    await nobody.open('/login');
    expect((await nobody.send('/security/password', changed())).path).toMatch(/^\/login/);
    expect(await accountOf(mine)).toEqual(before);
    expect((await signedIn(theirs, 'battery staple')).page.path).toBe('/security');
  });

  it('an operator who is logged in as the customer cannot change the customer’s password', async () => {
    const username = await newCustomer();
    const before = await accountOf(username);
    const boss = await signedIn('root-admin', own);
    await boss.open(`/accounts/${before.id}`);
    const { path: as } = await boss.send(`/accounts/${before.id}/log-in`);
    await boss.open(`${as}security`);
    expect(boss.page.text).toContain(`Username ${username}`);
    expect(boss.page.text).toContain('by your provider');
    expect(boss.page.html).not.toContain('action="/security/password"');
    const refused = await boss.send(`${as}security/password`, changed());
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('Only the customer can change this password here');
    expect(await accountOf(username)).toEqual(before);
  });
});

describe('confirmation by password or code', () => {
  /** Changes the user's sessions as if the sign-in was hours ago. */
  const age = async (username: string) => {
    const { id } = await rig.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await rig.db.updateTable('sessions').set({ proved_at: longAgo }).where('user_id', '=', id).execute();
  };
  const tokensNamed = async (name: string) =>
    (await rig.db.selectFrom('api_tokens').select('id').where('name', '=', name).execute()).length;

  it('a new token needs the password again, and then the sent form is completed', async () => {
    const username = await newStaff();
    const someone = await signedIn(username);
    await someone.open('/security/tokens');
    await age(username);
    const fields = { user: username, newest_id: field(someone.page.html, 'newest_id') };
    const wanted = {
      ...fields,
      name: 'A <thief>',
      preset: 'custom',
      'abilities[]': ['accounts:read', 'domains:read'],
    };
    const asked = await someone.send('/security/tokens', wanted);
    expect(asked).toMatchObject({ status: 403, path: '/security/tokens' });
    expect(asked.text).toContain('Confirm your identity');
    expect(asked.html).toContain('name="name" value="A &lt;thief&gt;"');
    expect(asked.html.match(/name="abilities\[\]"/g)).toHaveLength(2);
    expect(asked.html.match(/name="_csrf"/g)?.length).toBe(4);
    for (const proof_password of ['', 'wrong horse']) {
      const refused = await someone.send('/security/tokens', { ...wanted, proof_password });
      expect(refused).toMatchObject({ status: 422 });
      expect(refused.text).toContain('The current password is wrong.');
      expect(refused.html).not.toContain('wrong horse');
    }
    expect(await tokensNamed('A <thief>')).toBe(0);
    const done = await someone.send('/security/tokens', { ...wanted, proof_password: password });
    expect(done.status).toBe(200);
    expect(done.text).toContain('Token created');
    expect(await tokensNamed('A <thief>')).toBe(1);
    const shown = await someone.open('/security');
    expect(shown.text).toMatch(/New API tokens .* A <thief>/);
    expect(shown.text).toMatch(/wrong password 2/);
    await someone.open('/security/tokens');
    const more = { ...wanted, name: 'Within ten minutes', newest_id: field(someone.page.html, 'newest_id') };
    expect((await someone.send('/security/tokens', more)).text).toContain('Token created');
  });

  it('a token has an end, after which it does not work and is marked', async () => {
    const username = await newStaff();
    const someone = await signedIn(username);
    const { html } = await someone.open('/security/tokens');
    const fields = {
      user: username,
      name: 'For a month',
      preset: 'read_only',
      newest_id: field(html, 'newest_id'),
    };
    const refused = await someone.send('/security/tokens', { ...fields, expires_in_days: '0' });
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.errorAt('expires_in_days')).toContain('must be at least 1');
    const made = await someone.send('/security/tokens', { ...fields, expires_in_days: '30' });
    const plain = /ik_[0-9A-Za-z]+/.exec(made.html)?.[0] ?? '';
    expect(await authenticateToken(rig.db, plain)).toMatchObject({ token: { name: 'For a month' } });
    const rows = rig.db.updateTable('api_tokens').where('name', '=', 'For a month');
    await rows.set({ expires_at: new Date(Date.now() - 1_000) }).execute();
    expect(await authenticateToken(rig.db, plain)).toBeNull();
    expect((await someone.open('/security/tokens')).text).toContain('Expired');
  });

  it('single abilities that are missing are a wrong field with the focus', async () => {
    const username = await newStaff();
    const someone = await signedIn(username);
    const { html } = await someone.open('/security/tokens');
    const fields = { user: username, name: '', preset: 'custom', newest_id: field(html, 'newest_id') };
    const refused = await someone.send('/security/tokens', fields);
    expect(refused.html).toContain('href="#field-abilities"');
    expect(refused.html).toMatch(/<fieldset[^>]* id="field-abilities"[^>]* tabindex="-1"/);
  });

  it('a user with a second factor gives a code', async () => {
    const username = await newStaff();
    const someone = await signedIn(username);
    const { html } = await someone.open('/security/two-factor');
    const secret = /[A-Z2-7]{32}/.exec(html)?.[0] ?? '';
    await someone.send('/security/two-factor', { set_up: field(html, 'set_up'), code: codeOf(secret, -30) });
    await age(username);
    await someone.open('/security/tokens');
    const wanted = {
      user: username,
      newest_id: field(someone.page.html, 'newest_id'),
      name: 'By code',
      preset: 'read_only',
    };
    const asked = await someone.send('/security/tokens', wanted);
    expect(asked.html).toContain('name="proof_code"');
    expect(asked.html).not.toContain('name="proof_password"');
    for (const proof of [{ proof_password: password }, { proof_code: '000000' }])
      expect(await someone.send('/security/tokens', { ...wanted, ...proof })).toMatchObject({ status: 422 });
    expect(await tokensNamed('By code')).toBe(0);
    const done = await someone.send('/security/tokens', { ...wanted, proof_code: codeOf(secret) });
    expect(done.text).toContain('Token created');
  });

  it('servers, join commands, and passwords and second factors of others need the password or a code', async () => {
    const boss = await newStaff();
    const someone = await signedIn(boss);
    const customer = await newCustomer();
    const { id, linux_password_hash } = await accountOf(customer);
    const colleague = await newStaff(createReseller);
    await age(boss);
    const nodes = async () => (await rig.db.selectFrom('nodes').select('id').execute()).length;
    const before = await nodes();
    const [node] = await rig.db.selectFrom('nodes').select('id').execute();
    for (const [path, fields] of [
      ['/nodes/new', { name: 'stolen1', address: '192.0.2.66' }],
      [`/nodes/${node?.id}/join-token`, {}],
      [`/accounts/${id}/password`, { password: 'a new battery' }],
      [`/accounts/${id}/second-factor/reset`, {}],
      [`/accounts/${id}/second-factor/unlock`, {}],
      [`/resellers/${colleague}/second-factor/reset`, {}],
      [`/resellers/${colleague}/second-factor/unlock`, {}],
    ] as const) {
      const asked = await someone.send(path, fields);
      expect(asked, path).toMatchObject({ status: 403, path });
      expect(asked.text).toContain('Confirm your identity');
      expect(asked.html, 'no password is written into a page').not.toContain('a new battery');
    }
    expect(await nodes()).toBe(before);
    expect((await accountOf(customer)).linux_password_hash).toBe(linux_password_hash);
    const again = await someone.send(`/accounts/${id}/password`, { proof_password: password });
    expect(again).toMatchObject({ status: 422 });
    expect(again.text).toContain('Password is required.');
    await someone.send(`/accounts/${id}/password`, { password: 'a new battery' });
    expect((await accountOf(customer)).linux_password_hash).not.toBe(linux_password_hash);
  });
});

describe('the rate limit of writes', () => {
  it('writes of a user count with the requests of its tokens, and are refused above the limit', async () => {
    const limited = await rig.addInstance({ rateLimits: { user: 8, health: 0, sso: 0 } });
    const [username, neighbour] = [await newStaff(), await newStaff()];
    const { plain_token } = await createToken(rig.operator, {
      user: username,
      name: 'counted',
      abilities: ['*'],
    });
    const enter = async (name: string) => {
      const someone = new PageVisitor(limited.origin, { 'X-Forwarded-For': `198.51.101.${++serial % 250}` });
      await someone.signIn(name, password);
      await someone.open('/security');
      return someone;
    };
    const [someone, other] = [await enter(username), await enter(neighbour)];
    const write = (who: PageVisitor) => who.send('/security/sessions/end-others');
    for (let i = 0; i < 4; i += 1) expect(await write(someone)).toMatchObject({ status: 200 });
    for (let i = 0; i < 4; i += 1) expect((await limited.ask('me', { token: plain_token })).status).toBe(200);
    const refused = await write(someone);
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await limited.ask('me', { token: plain_token })).status).toBe(429);
    expect(await write(other)).toMatchObject({ status: 200 });
    expect(await someone.open('/security'), 'reads go on').toMatchObject({ status: 200 });
    expect(await someone.send('/logout')).toMatchObject({ status: 200, path: '/login' });
  });
});

describe('API tokens', () => {
  const create = async (someone: PageVisitor, fields: Record<string, string | readonly string[]>) => {
    await someone.open('/security/tokens');
    return await someone.send('/security/tokens', {
      newest_id: field(someone.page.html, 'newest_id'),
      ...fields,
    });
  };
  const plainOf = ({ html }: { html: string }) => /value="(ik_[0-9A-Za-z]{38})"/.exec(html)?.[1] ?? '';
  const statusOf = async (token: string, instance: Pick<Instance, 'ask'> = rig) =>
    (await instance.ask('me', { token })).status;

  it('a token is created once, shown once, and works', async () => {
    const username = await newStaff(createReseller);
    const someone = await signedIn(username);
    const empty = await someone.open('/security/tokens');
    expect(empty.text).toContain('There is no token yet.');
    const fields = {
      newest_id: field(empty.html, 'newest_id'),
      name: 'Billing <1>',
      preset: 'provisioning',
      allowed_ips: '',
    };
    const made = await someone.send('/security/tokens', fields);
    expect(made.status).toBe(200);
    const token = plainOf(made);
    expect(made.headers.get('Cache-Control')).toBe('no-store');
    expect(made.html).toContain('data-copy="plain-token"');
    expect(JSON.stringify([...someone.cookies])).not.toContain(token);
    const { body } = await rig.ask('me', { token });
    expect(body).toMatchObject({
      user: { username },
      token: { name: 'Billing <1>', preset: 'provisioning' },
    });

    const reloaded = await someone.send('/security/tokens', fields);
    expect(reloaded).toMatchObject({ status: 409 });
    expect(reloaded.text).toContain('A token was created since this form was shown.');
    expect(reloaded.html).not.toContain(token);
    const listed = await someone.open('/security/tokens');
    expect(listed.html).not.toContain('ik_');
    expect(listed.html.match(/Revoke Billing/g)).toHaveLength(1);
    await waitUntil('the use', async () => {
      const { text } = await someone.open('/security/tokens');
      return /UTC from 127\.0\.0\.1/.test(text);
    });
  });

  it('refusals have each error at its field, with its line', async () => {
    const someone = await signedIn(await newStaff(createReseller));
    const refused = await create(someone, {
      name: '',
      preset: '',
      allowed_ips: '10.0.0.0/8\nexample.com\n\n10.0.0.1/33',
    });
    expect(refused).toMatchObject({ status: 422 });
    for (const sentence of [
      'Name is required.',
      'Choose a preset, or the abilities that the token is to have.',
      'Line 2: "example.com" is neither an IPv4 or IPv6 address nor a CIDR range.',
      'Line 4: "10.0.0.1/33" is neither',
    ])
      expect(refused.text).toContain(sentence);
    expect(refused.html).toContain('example.com\n\n10.0.0.1/33</textarea>');
    const both = await create(someone, {
      name: 'both',
      preset: 'read_only',
      'abilities[]': ['cron:write', 'cron:read'],
    });
    expect(both.text).toContain('Choose a preset or single abilities, not both.');
    expect(both.html.match(/checked/g)).toHaveLength(2);
    const single = await create(someone, {
      name: 'cron',
      preset: 'custom',
      'abilities[]': ['cron:read'],
      allowed_ips: '198.51.100.0/24\r\n2001:db8::/32\r\n',
    });
    const token = plainOf(single);
    expect(await statusOf(token)).toBe(403);
    const headers = { 'X-Forwarded-For': '198.51.100.9' };
    const { body } = await rig.ask('me', { token, headers });
    expect(body.token).toMatchObject({ preset: 'custom', abilities: ['cron:read'] });
    expect((await someone.open('/security/tokens')).text).toContain('198.51.100.0/24, 2001:db8::/32');
  });

  it('every instance refuses a revoked token', async () => {
    const someone = await signedIn(await newStaff());
    const token = plainOf(
      await create(someone, { name: 'doomed', preset: 'full_access', user: await newStaff(createReseller) }),
    );
    expect([await statusOf(token), await statusOf(token, other)]).toEqual([200, 200]);
    const { html } = await someone.open('/security/tokens');
    const [path = ''] = /\/security\/tokens\/\d+\/revoke/.exec(html) ?? [];
    const revoked = await someone.send(path);
    expect(revoked.text).toContain('The token “doomed” was revoked.');
    expect(await statusOf(token)).toBe(401);
    await waitUntil('the other instance', async () => (await statusOf(token, other)) === 401, {
      timeoutMs: 5_000,
    });
    expect((await someone.open('/security/tokens')).html).not.toContain(path);
  });

  it('admins see and revoke tokens of others, and resellers do not', async () => {
    const theirs = await createToken(rig.operator, {
      user: 'root-admin',
      name: 'the boss',
      abilities: ['*'],
    });
    const [boss, reseller] = [await signedIn('root-admin', own), await signedIn('acme', own)];
    const seen = await boss.open('/security/tokens');
    expect(seen.text).toContain('Owner');
    expect(seen.text).toContain('acme');
    const hidden = await reseller.open('/security/tokens');
    expect(hidden.text).not.toContain('the boss');
    expect(hidden.text).not.toContain('Owner');
    const tried = await reseller.send(`/security/tokens/${theirs.token.id}/revoke`);
    expect(tried).toMatchObject({ status: 404 });
    expect(await statusOf(theirs.plain_token)).toBe(200);
    const forged = await create(reseller, { name: 'mine', preset: 'full_access', user: 'root-admin' });
    expect((await rig.ask('me', { token: plainOf(forged) })).body.user).toMatchObject({ username: 'acme' });
    const customer = await signedIn(await newCustomer());
    for (const path of ['/security/tokens', `/security/tokens/${theirs.token.id}/revoke`])
      expect(await customer.send(path, { name: 'x', preset: 'full_access' })).toMatchObject({ status: 404 });
    const nobody = await create(boss, { name: 'x', preset: 'read_only', user: await newCustomer() });
    expect(nobody.text).toContain('There is no admin or reseller of this name.');
  });
});

it('the log contains no secret', async () => {
  const lines: string[] = [];
  const logged = await startControlPlaneRig(
    { logLevel: 'trace' },
    { write: (line) => void lines.push(line) },
  );
  try {
    const someone = new PageVisitor(logged.origin);
    await someone.signIn('root-admin', own);
    const setUp = await someone.open('/security/two-factor');
    const page = await someone.open('/security/tokens');
    const newest_id = field(page.html, 'newest_id');
    const made = await someone.send('/security/tokens', {
      newest_id,
      name: 'x',
      preset: 'read_only',
      user: 'acme',
    });
    const secrets = [
      own,
      someone.cookies.get('innkeeper_session') ?? '-',
      /ik_[0-9A-Za-z]{38}/.exec(made.html)?.[0] ?? '-',
      /[A-Z2-7]{32}/.exec(setUp.html)?.[0] ?? '-',
    ];
    const log = lines.join('');
    expect(log).toContain('/security/tokens');
    for (const secret of secrets) expect(log).not.toContain(secret);
  } finally {
    await logged.stop();
  }
});

it('name and email change after the password, or a code, was given again', async () => {
  const username = await newCustomer();
  const someone = await signedIn(username);
  const id = await rig.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  await rig.db.updateTable('sessions').set({ proved_at: null }).where('user_id', '=', id.id).execute();
  expect((await someone.open('/profile')).html).toContain(`value="${username}@example.com"`);
  const wanted = { name: 'Uma <B>', email: `uma@${username}.example` };
  const asked = await someone.send('/profile', wanted);
  expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('Confirm your identity')]);
  const wrong = await someone.send('/profile', { ...wanted, proof_password: 'wrong' });
  expect(wrong.errorAt('proof_password')).toContain('wrong');
  const saved = await someone.send('/profile', { ...wanted, proof_password: password });
  expect(saved.path).toBe('/security');
  expect(saved.text).toContain('Your name and email address were saved.');
  expect(saved.text).toContain(`Name Uma <B> Email uma@${username}.example`);
  const refused = await someone.send('/profile', { name: '', email: 'admin@panel.test' });
  expect([refused.status, refused.errorAt('name')]).toEqual([422, 'Name is required.']);
  const taken = await someone.send('/profile', { name: 'Uma', email: 'admin@panel.test' });
  expect([taken.status, taken.errorAt('email')]).toEqual([422, 'Email address is already taken.']);
  expect((await visitor().open('/profile')).path).toBe('/login?next=%2Fprofile');
});
