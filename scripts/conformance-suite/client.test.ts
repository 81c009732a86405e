import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, type Wire } from './client.ts';

let server: Server;
let baseUrl: string;
let refusals = 0;
const heard: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'nobody'}`);
    if (request.url === '/elsewhere') response.writeHead(302, { location: '/home' }).end();
    else if (refusals-- > 0)
      response.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too Many Attempts."}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"id":7}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function wire(more: Partial<Wire> = {}): Wire & { pauses: number[] } {
  const pauses: number[] = [];
  return {
    baseUrl,
    signal: new AbortController().signal,
    onPause: (seconds) => pauses.push(seconds),
    onAnswer: () => {},
    pauses,
    ...more,
  };
}

test('a rate limit is waited for as long as Retry-After says, and the request is sent again', async () => {
  refusals = 1;
  const own = wire();
  const answer = await new Client(own, 'secret').get('/accounts');
  expect(answer.expect(200).id()).toBe(7);
  expect(own.pauses).toEqual([1]);
  expect(heard.slice(-2)).toEqual(['GET /accounts Bearer secret', 'GET /accounts Bearer secret']);
});

test('without waiting the answer is the 429', async () => {
  refusals = 1;
  const own = wire();
  const answer = await new Client(own).send({ method: 'GET', path: '/health', impatient: true });
  expect(answer.status).toBe(429);
  expect(own.pauses).toEqual([]);
});

test('an abort ends the wait', async () => {
  refusals = 1;
  const abort = new AbortController();
  const client = new Client(wire({ signal: abort.signal, onPause: () => abort.abort() }));
  await expect(client.get('/accounts')).rejects.toThrow(/abort/i);
});

test('a redirect is an answer and is not followed', async () => {
  refusals = 0;
  const answer = await new Client(wire()).get('/elsewhere');
  expect(answer.expect(302).headers.get('location')).toBe('/home');
});
