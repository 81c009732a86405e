import { expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { accountView, fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';

const link = async (body: unknown, services = {}) =>
  await ask(createApp(fakeDeps({ services })), {
    method: 'POST',
    path: '/accounts/1/login-link',
    token: 'admin',
    body,
  });

it('a link is an absolute URL of the public address, to the dashboard by default', async () => {
  for (const body of ['', {}, { target: '' }, { target: null, app_id: null }]) {
    const { status, body: answered } = await link(body);
    expect([status, answered]).toEqual([
      200,
      {
        data: {
          login_url: `https://panel.example.com/api/v1/sso/login/5?expires=1795221757&target=dashboard&signature=${'f'.repeat(64)}`,
          expires_in: 300,
          user_username: 'alice',
          user_email: 'alice@example.com',
          target: 'dashboard',
        },
      },
    ]);
  }
});

it('a link contains the requested app and domain', async () => {
  const { body } = await link({ target: 'app', app_id: '3', domain_id: 4 });
  expect(body.data.login_url).toContain('?expires=1795221757&target=app&app_id=3&domain_id=4&signature=');
  expect(body.data.target).toBe('app');
});

it.each([
  [{ target: 'nope' }, { target: ['The selected target is invalid.'] }],
  [{ target: 'app' }, { app_id: ['The app id field is required when target is app.'] }],
  [{ target: 'app', app_id: null }, { app_id: ['The app id field is required when target is app.'] }],
  [{ target: 'apps', app_id: 'x' }, { app_id: ['The app id field must be an integer.'] }],
  [{ domain_id: 1.5 }, { domain_id: ['The domain id field must be an integer.'] }],
])('the API refuses %j by its field', async (body, errors) => {
  const reply = await link(body);
  expect([reply.status, reply.body.errors]).toEqual([422, errors]);
});

it('a suspended account gets 403 before the check of the fields', async () => {
  const getAccount = async () => ({ ...accountView, status: 'suspended' as const });
  const { status, body } = await link({ target: 'nope' }, { getAccount });
  expect([status, body]).toEqual([403, { message: 'This account is suspended.' }]);
});
