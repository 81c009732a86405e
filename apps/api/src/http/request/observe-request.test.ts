import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ask } from '../../../test/ask.ts';
import { fakeDeps } from '../../../test/fake-deps.ts';
import { createApp } from '../../app.ts';
import { createClientAddress, createIsSecure } from '../server/client-address.ts';

function observed() {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const deps = fakeDeps({ logger, clientAddress: createClientAddress(['192.0.2.0/24']) });
  return { app: createApp(deps), deps, lines };
}

it('the log has one line for a request, with user, request and address, and without secrets', async () => {
  const { app, lines } = observed();
  const reply = await ask(app, {
    method: 'PATCH',
    path: '/accounts/1/password?signature=do-not-log',
    token: 'admin',
    body: { password: 'hunter2hunter2' },
    headers: { 'X-Forwarded-For': '203.0.113.9', Cookie: 'session=do-not-log' },
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    request_id: reply.headers.get('X-Request-Id'),
    method: 'PATCH',
    route: '/api/v1/accounts/{id}/password',
    status: 200,
    address: '203.0.113.9',
    user_id: 1,
    token_id: 1,
  });
  expect(lines[0]).not.toMatch(/hunter2|do-not-log|Bearer|"admin"/);
});

it('the labels of metrics are templates and known words only', async () => {
  const { app, deps } = observed();
  await ask(app, { path: '/accounts/1', token: 'admin' });
  await ask(app, { path: '/accounts/424242', token: 'admin' });
  await ask(app, { path: '/secret-path', method: 'BREW' });
  const text = await deps.metrics.registry.metrics();
  const name = 'innkeeper_api_http_request_duration_seconds_count';
  expect(text).toContain(`${name}{method="GET",route="/api/v1/accounts/{id}",status="200"} 1`);
  expect(text).toContain(`${name}{method="GET",route="/api/v1/accounts/{id}",status="404"} 1`);
  expect(text).toContain(`${name}{method="other",route="unmatched",status="404"} 1`);
  expect(text).not.toMatch(/424242|secret-path|BREW/);
  expect(text).toContain('innkeeper_api_http_requests_in_flight 0');
});

it('every answer over HTTPS has HSTS, and no other answer', async () => {
  const app = createApp(fakeDeps({ isSecure: createIsSecure(['192.0.2.9']) }));
  const policyOf = async (path: string, address: string) =>
    (await ask(app, { path, address, headers: { 'X-Forwarded-Proto': 'https' } })).headers.get(
      'Strict-Transport-Security',
    );
  for (const path of ['/health', '/accounts', '/nowhere']) {
    expect(await policyOf(path, '192.0.2.9')).toBe('max-age=31536000');
    expect(await policyOf(path, '192.0.2.10')).toBe(null);
  }
});
