import { expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';

const app = createApp(fakeDeps());
const signature = 'f'.repeat(64);
const link = `/sso/login/1?expires=1795221757&target=domains&domain_id=3&signature=${signature}`;

it('a link redirects to the page, with an HttpOnly and SameSite cookie', async () => {
  const { status, body, headers } = await ask(app, { path: link });
  expect([status, body]).toEqual([302, '']);
  expect(Object.fromEntries(headers)).toEqual({
    location: '/sites/3',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'set-cookie': 'innkeeper_session=plain-token; Path=/; HttpOnly; SameSite=Lax',
    'x-ratelimit-limit': '30',
    'x-ratelimit-remaining': '29',
    'x-request-id': expect.any(String),
  });
});

it('HEAD, which link previews send, gets only the redirect', async () => {
  const { status, body, headers } = await ask(app, { method: 'HEAD', path: link });
  expect([status, body, headers.get('Location')]).toEqual([302, '', '/sites/3']);
  expect(headers.get('Set-Cookie')).toBe(null);
  const refused = await ask(app, { method: 'HEAD', path: `${link}&foo=1` });
  expect([refused.status, refused.body]).toEqual([403, '']);
});

it('the cookie is bound to HTTPS and this host only if a configured proxy forwards HTTPS', async () => {
  const headers = { 'X-Forwarded-Proto': 'https' };
  const behindProxy = await ask(app, { path: link, headers, address: '192.0.2.9' });
  expect(behindProxy.headers.get('Set-Cookie')).toBe(
    '__Host-innkeeper_session=plain-token; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  const spoofed = await ask(app, { path: link, headers, address: '192.0.2.10' });
  expect(spoofed.headers.get('Set-Cookie')).not.toContain('Secure');
});

it('the parameters may have any order', async () => {
  const path = `/sso/login/1?signature=${signature}&domain_id=3&target=domains&expires=1795221757`;
  expect((await ask(app, { path })).status).toBe(302);
});

it.each([
  link.replace('login/1', 'login/2'),
  link.replace('login/1', 'login/01'),
  link.replace('login/1', 'login/%00'),
  link.replace('login/1', 'login/9007199254740993'),
  `${link}&foo=1`,
  `${link}&__proto__=1`,
  `${link}&app_id=`,
  `${link}&target=domains`,
  link.replace('target=', 'target[]='),
  link.replace('target=', 'target[0]='),
  link.replace('domain_id=3', 'domain_id=03'),
  link.replace('domain_id=3', 'domain_id=-3'),
  link.replace('target=domains', 'target=nowhere'),
  link.replace('target=domains', 'target=constructor'),
  link.replace('&target=domains', ''),
  link.replace('expires=1795221757', 'expires=1795221757.0'),
  link.replace('expires=1795221757&', ''),
  link.replace(signature, ''),
  '/sso/login/1',
])('%s is not a link', async (path) => {
  for (const headers of [{ Accept: 'text/html' }, { Accept: 'application/json' }]) {
    const reply = await ask(app, { path, headers });
    expect([reply.status, reply.body]).toEqual([403, { message: 'Invalid signature.' }]);
    expect(reply.headers.get('Content-Type')).toBe('application/json');
    expect(reply.headers.get('Set-Cookie')).toBe(null);
  }
});
