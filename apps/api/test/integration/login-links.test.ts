import { findSession } from '@innkeeper/services';
import { beforeAll, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let accountId: number;
beforeAll(async () => {
  accountId = await create('linked', rig.resellerToken);
});

const create = async (username: string, token = rig.adminToken) =>
  (await rig.createAccount({ username }, token)).id;

const link = (body?: unknown, options: { id?: number; token?: string } = {}) =>
  rig.ask('createLoginLink', { id: accountId, body, ...options });
/** Opens a link like the customer's browser, at the address of the rig. */
const follow = (loginUrl: string, headers: Record<string, string> = {}) => {
  const url = new URL(loginUrl);
  const id = url.pathname.split('/').at(-1) ?? '';
  return rig.ask('followLoginLink', { id, query: url.search.slice(1), headers });
};

it('a login link signs a browser in and redirects it to its page', async () => {
  const { status, body } = await link({ target: 'databases' }, { token: rig.resellerToken });
  expect([status, body.data]).toEqual([
    200,
    {
      login_url: expect.stringMatching(
        /^https:\/\/panel\.example\.com\/api\/v1\/sso\/login\/\d+\?expires=\d+&target=databases&signature=[0-9a-f]{64}$/,
      ),
      expires_in: 300,
      user_username: 'linked',
      user_email: 'linked@example.com',
      target: 'databases',
    },
  ]);
  const followed = await follow(body.data.login_url, { 'User-Agent': 'Mozilla/5.0 (test)' });
  expect([followed.status, followed.body, followed.headers.get('Location')]).toEqual([302, '', '/databases']);
  expect(followed.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(followed.headers.get('Cache-Control')).toBe('no-store');
  const cookie = followed.headers.get('Set-Cookie') ?? '';
  expect(cookie).toMatch(/^innkeeper_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const token = cookie.slice('innkeeper_session='.length, cookie.indexOf(';'));
  const session = await findSession(rig.db, { token, now: new Date() });
  expect(session).toMatchObject({ user: { username: 'linked', role: 'user' }, account_id: accountId });
  const row = await rig.db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', session?.session.id ?? 0)
    .executeTakeFirst();
  expect(row).toMatchObject({ user_agent: 'Mozilla/5.0 (test)', address: '127.0.0.1', method: 'login-link' });
});

it('HEAD, which link previews send, opens no session', async () => {
  const id = await create('previewed');
  const { body } = await link({}, { id });
  const { pathname, search } = new URL(body.data.login_url);
  const looked = await fetch(rig.origin + pathname + search, { method: 'HEAD', redirect: 'manual' });
  expect([looked.status, looked.headers.get('Location'), looked.headers.get('Set-Cookie')]).toEqual([
    302,
    '/',
    null,
  ]);
  const userId = Number(pathname.split('/').at(-1));
  const sessions = rig.db.selectFrom('sessions').select('id').where('user_id', '=', userId);
  expect(await sessions.execute()).toEqual([]);
  expect((await follow(body.data.login_url)).status).toBe(302);
  expect(await sessions.execute()).toHaveLength(1);
});

it('the cookie is for HTTPS only behind a proxy that forwards HTTPS', async () => {
  const { body } = await link();
  const { headers } = await follow(body.data.login_url, {
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '198.51.100.7',
  });
  expect(headers.get('Set-Cookie')).toMatch(
    /^__Host-innkeeper_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

it('a changed link gets 403 in JSON, whatever the browser accepts', async () => {
  const { body } = await link();
  const url: string = body.data.login_url;
  for (const changed of [
    url.replace('dashboard', 'files'),
    `${url}x`,
    `${url}&a=1`,
    url.replace(/login\/\d+/, 'login/1'),
    url.replace(/expires=\d+/, 'expires=9999999999'),
  ]) {
    const refused = await follow(changed, { Accept: 'text/html' });
    expect([refused.status, refused.body], changed).toEqual([403, { message: 'Invalid signature.' }]);
    expect(refused.headers.get('Content-Type')).toBe('application/json');
    expect(refused.headers.get('Set-Cookie')).toBe(null);
  }
});
