import type { HttpBindings } from '@hono/node-server';
import { createSigner } from '@innkeeper/services';
import { expect, it } from 'vitest';
import { ask } from '../../../test/ask.ts';
import { fakeDeps } from '../../../test/fake-deps.ts';
import { createApp } from '../../app.ts';

it('a request without an end gets 503', async () => {
  const listPackages = () => new Promise<never>(() => {});
  const app = createApp(fakeDeps({ services: { listPackages }, requestTimeoutMs: 1 }));
  const reply = await ask(app, { path: '/packages', token: 'admin' });
  expect([reply.status, reply.body]).toEqual([503, { message: 'The request took too long.' }]);
});

const keys = { currentId: 'test', keys: new Map([['test', Buffer.alloc(32, 1)]]) };
const incoming = { socket: { remoteAddress: '192.0.2.1' } };

it('a browser gets 503 as a page of the panel, with a page’s headers', async () => {
  const visit = (path: string, requestTimeoutMs: number, init: RequestInit = {}) => {
    const countAttempt = () => new Promise<never>(() => {});
    const deps = fakeDeps({ signer: createSigner(() => keys), countAttempt, requestTimeoutMs });
    return createApp(deps).request(path, init, { incoming } as HttpBindings);
  };
  const door = await visit('/login', 10_000);
  const [, token = ''] = /name="_csrf" value="([0-9a-f]{64})"/.exec(await door.text()) ?? [];
  const late = await visit('/login', 1, {
    method: 'POST',
    headers: { Cookie: door.headers.get('Set-Cookie')?.split(';')[0] ?? '' },
    body: new URLSearchParams({ username: 'ada', password: 'correct horse', _csrf: token }),
  });
  expect([late.status, late.headers.get('Content-Type')]).toEqual([503, 'text/html; charset=UTF-8']);
  expect(late.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  expect(late.headers.get('Cache-Control')).toBe('no-store');
  expect(late.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await late.text()).toContain(
    'Your request timed out but may still finish. Check the result before you try again.',
  );
});
