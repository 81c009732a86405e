import { expect, it } from 'vitest';
import { ask } from '../../../test/ask.ts';
import { fakeDeps } from '../../../test/fake-deps.ts';
import { createApp } from '../../app.ts';

it('each lookup of a token stores its use once, if its address is allowed', async () => {
  const uses: unknown[] = [];
  const app = createApp(fakeDeps({ noteTokenUse: (...use) => uses.push(use) }));
  for (const token of ['admin', 'admin', 'allowlisted', 'revoked'])
    await ask(app, { path: '/auth/me', token });
  expect(uses).toEqual([[1, '192.0.2.1']]);
});

it.each(['admin', 'Basic admin', 'Bearer', 'Bearer  ', 'Bearer admin admin', `Bearer ${'a'.repeat(201)}`])(
  'takes no token from "%s"',
  async (Authorization) => {
    expect((await ask(createApp(fakeDeps()), { path: '/auth/me', headers: { Authorization } })).status).toBe(
      401,
    );
  },
);

it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP', 'X-Client-IP'])(
  'ignores %s unless the peer is a configured proxy',
  async (header) => {
    const said = header === 'Forwarded' ? 'for=198.51.100.7' : '198.51.100.7';
    const headers = { [header]: said };
    const { status } = await ask(createApp(fakeDeps()), { path: '/auth/me', token: 'allowlisted', headers });
    expect(status).toBe(403);
  },
);

it('the scheme may be in any case', async () => {
  const headers = { Authorization: 'bearer admin' };
  expect((await ask(createApp(fakeDeps()), { path: '/auth/me', headers })).status).toBe(200);
});
