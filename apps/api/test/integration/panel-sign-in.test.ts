import { randomBytes } from 'node:crypto';
import {
  createAdmin,
  createSigner,
  findSession,
  setAccountPassword,
  signIn,
  suspendAccount,
  terminateAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Instance, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let other: Instance;
let serial = 0;
beforeAll(async () => {
  other = await rig.addInstance();
  await createAdmin(rig.operator, { username: 'ada', email: 'ada@example.com', password });
});

const password = 'correct horse';
/**
 * Attempts are counted per address and per username, so every visitor has its own address, and most have their own
 * username.
 */
const address = () => {
  serial += 1;
  return { 'X-Forwarded-For': `198.51.${Math.floor(serial / 250)}.${serial % 250}` };
};
const visitor = (headers: Record<string, string> = {}, origin = rig.origin) =>
  new PageVisitor(origin, { ...address(), ...headers });
const admin = async (): Promise<string> => {
  serial += 1;
  const username = `admin${serial}`;
  await createAdmin(rig.operator, { username, email: `${username}@example.com`, password });
  return username;
};
const customer = () => rig.createAccount();
const sessionOf = async (who: PageVisitor) =>
  await findSession(rig.db, { token: who.cookies.get('innkeeper_session') ?? '', now: new Date() });
const loginLink = async (accountId: number): Promise<string> => {
  const { body } = await rig.ask('createLoginLink', { id: accountId, body: {} });
  const { pathname, search } = new URL(body.data.login_url);
  return pathname + search;
};
/** Opens the link in a browser that is signed in as another user, and confirms. */
const follow = async (who: PageVisitor, link: string) => {
  const { path } = await who.open(link);
  expect(path).toMatch(/^\/login\/link\?/);
  return await who.send(path);
};
const codeOf = (secret: string, aheadSeconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + aheadSeconds * 1_000 });

/** Turns two-factor authentication on, with the code of a step that ends soon. */
async function setUpTotp(who: PageVisitor): Promise<{ secret: string; codes: string[] }> {
  const { html } = await who.open('/security/two-factor');
  const secret = /id="totp-key"[^>]* value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  const set_up = /name="set_up" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const done = await who.send('/security/two-factor', { set_up, code: codeOf(secret, -30) });
  expect(done.text).toContain('Two-factor authentication is on.');
  return {
    secret,
    codes: [...done.html.matchAll(/<li>([a-z2-7-]{19})<\/li>/g)].map(([, code = '']) => code),
  };
}

it('the panel redirects a visitor to the sign-in, and then to the requested page', async () => {
  const someone = visitor();
  expect(await someone.open('/nowhere')).toMatchObject({ status: 404 });
  expect((await someone.open('/?a=1')).path).toBe('/login');
  expect((await someone.open('/security?a=1')).path).toBe('/login?next=%2Fsecurity%3Fa%3D1');
  const form = '/login?next=%2Fsecurity%3Fa%3D1';
  const refused = await someone.send(form, { username: 'ada', password: 'wrong horse' });
  expect(refused).toMatchObject({ status: 422, path: form });
  expect(refused.text).toContain('Wrong username or password.');
  expect(refused.html).not.toContain('wrong horse');
  expect(refused.html).toContain('action="/login?next=%2Fsecurity%3Fa%3D1"');
  expect(await someone.send(form, { username: 'ada', password })).toMatchObject({
    status: 200,
    path: '/security?a=1',
  });
});

describe('guessing', () => {
  const page = ({ html }: { html: string }) => html.replaceAll(/value="[^"]*"/g, '');

  it('the answer is the same for a wrong password and for an unknown name', async () => {
    const answers = [];
    for (const username of ['ada', 'nobody-has-it', 'no name at all', "' or 1=1 --"]) {
      const someone = visitor();
      await someone.open('/login');
      answers.push(await someone.send('/login', { username, password: 'wrong horse' }));
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(new Set(answers.map(page)).size).toBe(1);
  });

  const guess = async (username: string, typed = 'wrong horse', headers = {}, origin = rig.origin) => {
    const someone = visitor(headers, origin);
    await someone.open('/login');
    return await someone.send('/login', { username, password: typed });
  };

  it('a network has ten attempts a minute at one password, over all instances', async () => {
    const username = await admin();
    const here = { 'X-Forwarded-For': '2001:db8:77::1' };
    for (let i = 0; i < 5; i += 1)
      for (const { origin } of [rig, other])
        expect(await guess(username, 'wrong horse', here, origin)).toMatchObject({ status: 422 });
    const near = { 'X-Forwarded-For': '2001:db8:77::2' };
    for (const { origin } of [rig, other]) {
      const refused = await guess(username.toUpperCase(), password, near, origin);
      expect(refused).toMatchObject({ status: 429, path: '/login' });
      expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(refused.html).not.toContain(password);
    }
    expect(await guess(username, password), 'the owner, elsewhere').toMatchObject({ path: '/' });
    expect(await guess('ada', password, near)).toMatchObject({ path: '/' });
  }, 120_000);

  it('an attack on one password from many networks does not lock out a browser in which its user has signed in before', async () => {
    const username = await admin();
    const owner = visitor();
    expect(await owner.signIn(username, password)).toMatchObject({ path: '/' });
    await owner.send('/logout');
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async () => (await guess(username)).status),
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(99);
    for (const name of [username, 'nobody-has-it'])
      expect(await guess(name, password), 'the limit of a name').toMatchObject({
        status: name === username ? 429 : 422,
      });
    await owner.open('/login');
    expect(await owner.send('/login', { username, password: 'wrong horse' })).toMatchObject({ status: 422 });
    expect(await owner.send('/login', { username, password })).toMatchObject({ path: '/' });
    const shown = await owner.open('/security');
    expect(shown.text).toContain('Failed sign-in attempts');
    expect(shown.text).toMatch(/198\.51\.\d+\.\d+ wrong password 1/);
    expect(shown.html).not.toContain('wrong horse');
  }, 120_000);

  it('an address has thirty attempts, and an IPv6 network counts as one address', async () => {
    const guess = async (address: string, origin: string) => {
      const someone = visitor({ 'X-Forwarded-For': address }, origin);
      await someone.open('/login');
      serial += 1;
      return (await someone.send('/login', { username: `guess${serial}`, password: 'x' })).status;
    };
    const statuses = [];
    for (let i = 0; i < 30; i += 1)
      statuses.push(await guess(`2001:db8::${i.toString(16)}`, i % 2 === 0 ? rig.origin : other.origin));
    expect(new Set(statuses)).toEqual(new Set([422]));
    expect(await guess('2001:db8::ffff', rig.origin)).toBe(429);
    expect(await guess('2001:db8::1', other.origin)).toBe(429);
    expect(await guess('2001:db8:0:1::1', rig.origin)).toBe(422);
  }, 120_000);

  it('a code has five attempts, at the sign-in and on the security page', async () => {
    const username = await admin();
    const owner = visitor();
    await owner.signIn(username, password);
    const { secret } = await setUpTotp(owner);
    const thief = visitor();
    expect((await thief.signIn(username, password)).path).toBe('/login/code');
    for (let i = 0; i < 5; i += 1)
      expect(await thief.send('/login/code', { code: '000000' })).toMatchObject({ status: 422 });
    const refused = await thief.send('/login/code', { code: codeOf(secret) });
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./);
    await owner.open('/security');
    for (const [form, field] of [
      ['disable', 'disable_code'],
      ['renew', 'renew_code'],
    ] as const) {
      const tried = await owner.send(`/security/two-factor/${form}`, { [field]: codeOf(secret) });
      expect(tried).toMatchObject({ status: 429 });
    }
  });
});

describe('a session', () => {
  it('the sign-in never keeps a session id that the browser sent', async () => {
    const fixed = randomBytes(32).toString('base64url');
    const someone = visitor();
    someone.cookies.set('innkeeper_session', fixed);
    await someone.signIn(await admin(), password);
    expect(someone.cookies.get('innkeeper_session')).toMatch(/^[\w-]{43}$/);
    expect(someone.cookies.get('innkeeper_session')).not.toBe(fixed);
    expect(await findSession(rig.db, { token: fixed, now: new Date() })).toBe(null);
  });

  it('a session ends when another one begins in its browser', async () => {
    const username = await admin();
    const someone = visitor();
    await someone.signIn(await admin(), password);
    const former = someone.cookies.get('innkeeper_session') ?? '';
    await someone.open('/security');
    await someone.send('/login', { username, password });
    expect(await findSession(rig.db, { token: former, now: new Date() })).toBe(null);
    expect(await sessionOf(someone)).toMatchObject({ user: { username } });
  });

  it('sign out everywhere ends the session of every browser at once', async () => {
    const username = await admin();
    const [here, there] = [visitor(), visitor({}, other.origin)];
    await here.signIn(username, password);
    await there.signIn(username, password);
    expect((await there.open('/security')).path).toBe('/security');
    await here.open('/security');
    const out = await here.send('/security/sessions/end-all');
    expect(out).toMatchObject({ status: 200, path: '/login' });
    expect(out.text).toContain('You are signed out everywhere.');
    const sent = await there.open('/security');
    expect(sent.path).toBe('/login?next=%2Fsecurity');
    expect(sent.text).toContain('Your session has ended. Sign in again.');
    expect((await here.open('/security')).path).toBe('/login?next=%2Fsecurity');
  });

  it('the session of a suspended account ends, and the sign-in says why', async () => {
    const { id, username } = await customer();
    const someone = visitor();
    await someone.signIn(username, password);
    expect((await someone.open('/security')).status).toBe(200);
    await suspendAccount(rig.operator, { account_id: id });
    const led = await someone.open('/security');
    expect(led.path).toBe('/login?next=%2Fsecurity');
    expect(led.text).toContain('You were signed out because this account is suspended.');
    expect((await someone.open('/login')).text).not.toContain('suspended');
    const refused = await someone.send('/login', { username, password });
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('This account is suspended.');
    const guessed = await someone.send('/login', { username, password: 'wrong horse' });
    expect(guessed.text).not.toContain('suspended');
    await unsuspendAccount(rig.operator, { account_id: id });
    await someone.open('/login');
    expect((await someone.send('/login', { username, password })).path).toBe('/');
    await setAccountPassword(rig.operator, { account_id: id, password: 'battery staple' });
    expect((await someone.open('/')).text).toContain('Your session has ended.');
    await terminateAccount(rig.operator, { account_id: id });
    const gone = await someone.send('/login', { username, password: 'battery staple' });
    expect(gone.text).toMatch(/This account is being terminated\.|do not match our records/);
  });
});

describe('a second factor', () => {
  it('the sign-in asks for it after the password; a code and a recovery code work once', async () => {
    const username = await admin();
    const owner = visitor();
    await owner.signIn(username, password);
    const { secret, codes } = await setUpTotp(owner);
    expect(codes).toHaveLength(10);
    const enter = async (code: string) => {
      const someone = visitor();
      const asked = await someone.signIn(username, password);
      expect(asked).toMatchObject({ status: 200, path: '/login/code' });
      expect(await sessionOf(someone), 'a password alone is no session').toBe(null);
      expect((await someone.open('/security')).path).toBe('/login?next=%2Fsecurity');
      await someone.open('/login/code');
      return await someone.send('/login/code', { code });
    };
    const code = codeOf(secret);
    expect(await enter(code)).toMatchObject({ path: '/' });
    const [recovery = ''] = codes;
    expect(await enter(recovery.toUpperCase())).toMatchObject({ path: '/' });
    for (const used of [code, recovery]) {
      const replayed = await enter(used);
      expect(replayed).toMatchObject({ status: 422, path: '/login/code' });
      expect(replayed.text).toContain('This code is wrong.');
    }
  }, 60_000);

  it('the sign-in refuses a challenge that was changed, has expired or belongs to another user', async () => {
    const [username, another] = [await admin(), await admin()];
    const owner = visitor();
    await owner.signIn(username, password);
    const { secret } = await setUpTotp(owner);
    const someone = visitor();
    await someone.signIn(username, password);
    const good = someone.cookies.get('innkeeper_challenge') ?? '';
    const long = new Date(Date.now() - 301_000);
    const { challenge: old = '' } = await signIn(
      {
        ...rig.operator,
        now: () => long,
        signer: createSigner(() => rig.nats.keys.sealing),
        address: '192.0.2.1',
        userAgent: '',
        countAttempt: async () => {},
      },
      { username, password },
    );
    expect(old).toMatch(/^\d+\.\d+\.[0-9a-f]{64}$/);
    const { id } = await rig.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', another)
      .executeTakeFirstOrThrow();
    const bad = [old, good.replace(/^\d+/, String(id)), `${good}0`, good.slice(1), '%', 'x.y.z'];
    for (const challenge of bad) {
      someone.cookies.set('innkeeper_challenge', challenge);
      const sent = await someone.send('/login/code', { code: codeOf(secret) });
      expect(sent, challenge).toMatchObject({ status: 200, path: '/login' });
      expect(sent.text).toContain('The sign-in timed out. Sign in again.');
      expect(await sessionOf(someone)).toBe(null);
    }
    someone.cookies.set('innkeeper_challenge', good);
    expect(await someone.send('/login/code', { code: codeOf(secret) })).toMatchObject({ path: '/' });
  }, 60_000);

  it('a login link skips it, and ends the previous session of the browser', async () => {
    const { id, username } = await customer();
    const owner = visitor();
    await owner.signIn(username, password);
    await setUpTotp(owner);
    const someone = visitor();
    await someone.signIn(await admin(), password);
    const former = someone.cookies.get('innkeeper_session') ?? '';
    const link = await loginLink(id);
    for (const changed of [link.replace(/.$/, (last) => (last === '0' ? '1' : '0')), `${link}&a=1`]) {
      expect(await someone.open(changed)).toMatchObject({ status: 403 });
      expect(someone.cookies.get('innkeeper_session')).toBe(former);
    }
    expect(await follow(someone, link)).toMatchObject({ status: 200, path: '/' });
    expect(await sessionOf(someone)).toMatchObject({ account_id: id, session: { method: 'login-link' } });
    expect(await findSession(rig.db, { token: former, now: new Date() })).toBe(null);
    const first = someone.cookies.get('innkeeper_session') ?? '';
    await someone.open(link);
    expect(someone.cookies.get('innkeeper_session')).not.toBe(first);
    expect(await findSession(rig.db, { token: first, now: new Date() })).toBe(null);
  });
});

describe('a login link in a browser that is signed in as somebody else', () => {
  it('the panel asks first, and changes nothing without a confirmation', async () => {
    const [{ id, username }, own] = [await customer(), await admin()];
    const someone = visitor();
    await someone.signIn(own, password);
    const former = someone.cookies.get('innkeeper_session') ?? '';
    const link = await loginLink(id);
    const asked = await someone.open(link);
    expect(asked).toMatchObject({
      status: 200,
      path: expect.stringMatching(/^\/login\/link\?user=\d+&expires=/),
    });
    for (const said of [`Continue as ${username}?`, `is signed in as ${own}`, `Stay signed in as ${own}`])
      expect(asked.text).toContain(said);
    expect(someone.cookies.get('innkeeper_session')).toBe(former);
    expect(await sessionOf(someone)).toMatchObject({ user: { username: own } });

    const foreign = await fetch(rig.origin + asked.path, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: `innkeeper_session=${former}`, 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams({ _csrf: someone.csrfToken() }),
    });
    expect(foreign.status, 'another site cannot say yes').toBe(403);
    expect(await someone.send(asked.path.replace(/user=\d+/, 'user=1'))).toMatchObject({ status: 403 });
    await someone.open(asked.path);
    expect(await someone.send(asked.path)).toMatchObject({ status: 200, path: '/' });
    expect(await sessionOf(someone)).toMatchObject({ account_id: id });
    expect(await findSession(rig.db, { token: former, now: new Date() })).toBe(null);
  });

  it('the panel refuses a changed link in a signed-in browser as well', async () => {
    const someone = visitor();
    await someone.signIn(await admin(), password);
    for (const query of ['', '?user=1', '?user=x&expires=1&target=dashboard&signature=x', '?user=1&a=1'])
      expect(await someone.open(`/login/link${query}`), query).toMatchObject({ status: 403 });
  });
});

describe('cross-site requests', () => {
  it('another site cannot send a form', async () => {
    const [mine, theirs] = [visitor(), visitor()];
    const username = await admin();
    await mine.signIn(username, password);
    await theirs.signIn(username, password);
    await theirs.open('/security');
    const foreign = theirs.csrfToken();
    await mine.open('/security');
    const own = mine.csrfToken();
    const post = (token: string | undefined, headers: Record<string, string> = {}, path = '/logout') =>
      fetch(rig.origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          Cookie: [...mine.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
        body: new URLSearchParams(token === undefined ? {} : { _csrf: token }),
      });
    const refused = [
      await post(undefined),
      await post(''),
      await post('0'.repeat(64)),
      await post(foreign),
      await post(own, { Origin: 'https://evil.example' }),
      await post(own, { Origin: 'null' }),
      await post(own, { Origin: rig.origin.replace('http:', 'https:') }),
      await post(own, { 'Sec-Fetch-Site': 'cross-site', Origin: rig.origin }),
      await post(own, { 'Sec-Fetch-Site': 'same-site' }),
      await post(own, { 'Sec-Fetch-Site': 'none' }),
      await post(own, { 'Content-Type': 'text/plain' }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('This form has expired.');
    }
    for (const path of ['/logout', '/return', '/security/sessions/end-all', '/security/password'])
      for (const method of ['GET', 'HEAD']) {
        const headers = { Cookie: `innkeeper_session=${mine.cookies.get('innkeeper_session')}` };
        const { status } = await fetch(rig.origin + path, { method, headers, redirect: 'manual' });
        expect(status, `${method} ${path}`).toBe(404);
      }
    expect(await sessionOf(mine)).not.toBe(null);
    expect((await post(own, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303);
    expect(await sessionOf(mine)).toBe(null);
  });

  it('another site cannot sign a visitor in', async () => {
    const someone = visitor();
    await someone.open('/login');
    const sent = await someone.send(
      '/login',
      { username: 'ada', password },
      { Origin: 'https://evil.example' },
    );
    expect(sent).toMatchObject({ status: 403 });
    const fields = new URLSearchParams({ username: 'ada', password });
    const bare = await fetch(`${rig.origin}/login`, { method: 'POST', body: fields, redirect: 'manual' });
    expect([bare.status, bare.headers.get('Location')]).toEqual([403, null]);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000//evil.example',
    ' //evil.example',
    '/%0d%0aLocation:https://evil.example',
    '/\u2044evil.example',
    'evil.example',
    '//evil.example/%2e%2e',
    '///evil.example',
    '/%2f%2fevil.example',
    '/..//evil.example',
    '/.//evil.example',
    '@evil.example',
    '',
  ])('next=%j does not redirect to another site', async (next) => {
    const [username, someone] = [await admin(), visitor()];
    await someone.open('/login');
    const answer = await fetch(`${rig.origin}/login?next=${encodeURIComponent(next)}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...address(), Cookie: `innkeeper_visitor=${someone.cookies.get('innkeeper_visitor')}` },
      body: new URLSearchParams({ _csrf: someone.csrfToken(), username, password }),
    });
    const location = answer.headers.get('Location') ?? '';
    expect(answer.status).toBe(303);
    expect(location).toMatch(/^\/(?![/\\])/);
    expect(new URL(location, rig.origin).origin).toBe(rig.origin);
  });
});

describe('cookies', () => {
  const cookiesOf = async (headers: Record<string, string>, username: string, links?: string) => {
    const someone = visitor(headers);
    const opened = await someone.open('/login');
    const body = new URLSearchParams({ _csrf: someone.csrfToken(), username, password });
    const cookie = [...someone.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const entered = await fetch(`${rig.origin}${links ?? '/login'}`, {
      redirect: 'manual',
      ...(links === undefined ? { method: 'POST', body } : {}),
      headers: { ...headers, Cookie: cookie },
    });
    return [...opened.headers.getSetCookie(), ...entered.headers.getSetCookie()].map((text) =>
      text.replace(/^([^=]+)=[^;]+/, '$1=…'),
    );
  };

  it('cookies are HttpOnly and SameSite', async () => {
    expect(await cookiesOf(address(), await admin())).toEqual([
      'innkeeper_visitor=…; Path=/; HttpOnly; SameSite=Strict',
      'innkeeper_session=…; Path=/; HttpOnly; SameSite=Lax',
      'innkeeper_known=…; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict',
      'innkeeper_visitor=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    ]);
  });

  it('all cookies are bound to HTTPS and to this host under HTTPS', async () => {
    const headers = { ...address(), 'X-Forwarded-Proto': 'https' };
    const username = await admin();
    const owner = visitor();
    await owner.signIn(username, password);
    await setUpTotp(owner);
    const { id } = await customer();
    const all = [
      ...(await cookiesOf(headers, await admin())),
      ...(await cookiesOf(headers, username)),
      ...(await cookiesOf(headers, '', await loginLink(id))),
    ];
    expect(all.some((cookie) => cookie.startsWith('__Host-innkeeper_challenge=…'))).toBe(true);
    for (const cookie of all)
      expect(cookie).toMatch(
        /^__Host-innkeeper_\w+=…?;(?: Max-Age=\d+;)? Path=\/; HttpOnly; Secure; SameSite=(?:Lax|Strict)$/,
      );
    expect(all.join()).not.toMatch(/Domain=/i);
  });
});

describe('every response', () => {
  const secured = {
    'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
    'cache-control': /^no-store$/,
    'referrer-policy': /^same-origin$/,
    'x-content-type-options': /^nosniff$/,
    'x-frame-options': /^DENY$/,
    'cross-origin-opener-policy': /^same-origin$/,
  };

  it('every page has the security headers, errors too', async () => {
    const someone = visitor();
    const answers = [
      await someone.open('/login'),
      await someone.open('/nowhere'),
      await someone.send('/login', { username: 'ada', password: 'wrong' }),
      await someone.send('/login', { _csrf: 'x' }, { Origin: 'https://evil.example' }),
      await fetch(`${rig.origin}/security`, { redirect: 'manual' }),
      await fetch(`${rig.origin}/login`, { method: 'DELETE' }),
      await fetch(`${rig.origin}/login`, { method: 'POST', body: 'x'.repeat(2_000_000) }),
      await fetch(`${rig.origin}/assets/000000000000/panel.css`),
      await someone.signIn(await admin(), password),
      await someone.open('/security'),
      await someone.open('/security/tokens'),
    ];
    for (const { status, headers } of answers)
      for (const [name, value] of Object.entries(secured))
        expect(headers.get(name), `${name} of ${status}`).toMatch(value);
  });

  it('a form of more than 1 MiB is refused, with a Content-Length and without', async () => {
    const someone = visitor();
    await someone.open('/login');
    const post = async (characters: number, hasLength: boolean) => {
      const text = `_csrf=${someone.csrfToken()}&username=${'a'.repeat(characters)}&password=x`;
      const answer = await fetch(`${rig.origin}/login`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Cookie: [...someone.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: hasLength ? text : new Blob([text]).stream(),
        duplex: 'half',
      });
      return { status: answer.status, isTooLarge: (await answer.text()).includes('This form is too large.') };
    };
    for (const hasLength of [true, false]) {
      expect(await post(1024 * 1024, hasLength)).toEqual({ status: 422, isTooLarge: true });
      expect(await post(100, hasLength)).toEqual({ status: 422, isTooLarge: false });
    }
  });

  it('garbage gets no 5xx answer', async () => {
    const someone = visitor();
    await someone.signIn(await admin(), password);
    await someone.open('/security');
    const own = [...someone.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const bytes = randomBytes(80)
      .toString('latin1')
      .replaceAll(/[^\x20-\x7e\x80-\xff]|;/g, '');
    const cookies = [
      '',
      own,
      'innkeeper_session',
      'innkeeper_session=',
      'innkeeper_session=%',
      'innkeeper_session=%E0%A4%A; innkeeper_notice=%E0%A4%A; innkeeper_visitor=%ff; innkeeper_challenge=%00',
      `innkeeper_session="${'A'.repeat(43)}"; innkeeper_as_1=x; innkeeper_notice=${'%41'.repeat(900)}`,
      `innkeeper_session=${bytes}; innkeeper_notice=${bytes}`,
      `__proto__=1; constructor=2; ${own}; innkeeper_session=x`,
      ';;;=;=;',
    ];
    const paths = [
      '/login?next=%E0%A4%A&next=//x&next[]=1',
      '/login/code',
      '/security?page=-1',
      '/security/two-factor',
      '/security/tokens?page=999999999999999999999',
      '/security/tokens?page[]=%00',
      '/security/sessions/9999999999999999999/end',
      '/security/sessions/%00/end',
      '/security/tokens/%F0%9F%98%80/revoke',
      '/%',
      '/%00',
      '/security/%2e%2e/%2e%2e/etc/passwd',
    ];
    const bodies = [
      '',
      '&&&==&=',
      '_csrf[]=1&username[a][b]=2&password[]=3',
      '__proto__[x]=1&constructor=1&username=%00&password=%00',
      'username=%E0%A4%A&password=%ff',
      `username=${'a'.repeat(100_000)}&password=${'b'.repeat(100_000)}`,
      'code[]=1&set_up[]=x&newest_id=1e999&abilities=x&abilities[0][1]=2&allowed_ips[]=3&preset[]=1',
      `set_up=${'A'.repeat(1_000)}&code=%F0%9F%98%80&disable_code[]=1&current_password[]=2`,
    ];
    const csrf = `&_csrf=${someone.csrfToken()}`;
    for (const cookie of cookies)
      for (const path of paths) {
        const { status } = await fetch(rig.origin + path, {
          redirect: 'manual',
          headers: { Cookie: cookie },
        });
        expect(status, `${path} ${cookie}`).toBeLessThan(500);
      }
    const forms = [
      '/login',
      '/login/code',
      '/security/password',
      '/security/two-factor',
      '/security/two-factor/disable',
      '/security/tokens',
      '/security/tokens/0/revoke',
      '/security/sessions/x/end',
      '/return',
    ];
    for (const path of forms)
      for (const body of bodies)
        for (const brought of ['', csrf]) {
          const { status } = await fetch(rig.origin + path, {
            method: 'POST',
            redirect: 'manual',
            headers: { Cookie: own, 'Content-Type': 'application/x-www-form-urlencoded' },
            body: body + brought,
          });
          expect(status, `${path} ${body.slice(0, 80)}`).toBeLessThan(500);
        }
  }, 120_000);
});
