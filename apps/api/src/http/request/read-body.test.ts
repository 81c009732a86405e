import type { HttpBindings } from '@hono/node-server';
import { expect, it } from 'vitest';
import { fakeDeps } from '../../../test/fake-deps.ts';
import { createApp } from '../../app.ts';

it('an incomplete body is the client’s error, and no write', async () => {
  const failing = async () => expect.unreachable();
  const app = createApp(fakeDeps({ services: { createAccount: failing } }));
  for (const headers of [{}, { 'Content-Length': '100' }]) {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"username":')),
      pull: (stream) => stream.error(new Error('aborted')),
    });
    const answer = await app.request(
      '/api/v1/accounts',
      {
        method: 'POST',
        headers: { Authorization: 'Bearer admin', ...headers },
        body,
        duplex: 'half',
      } as RequestInit,
      { incoming: { socket: { remoteAddress: '192.0.2.1' } } } as HttpBindings,
    );
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'Bad Request' }]);
  }
});
