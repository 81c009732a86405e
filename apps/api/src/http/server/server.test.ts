import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import {
  createCertificateAuthority,
  loadCertificateAuthority,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import { Hono } from 'hono';
import { afterEach, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { type HttpListener, startHttp } from './server.ts';

let listener: HttpListener | undefined;
afterEach(() => listener?.close(0));

const uploads = { dir: tmpdir(), maxBytes: 1, timeoutMs: 60_000, atOnce: 1, minBytesPerSecond: 0 };
const made = await createCertificateAuthority();
const authority = loadCertificateAuthority(made.certificatePem, made.keyPem);

async function serve(handle: () => Promise<Response>): Promise<{ url: string; listener: HttpListener }> {
  const app = new Hono<Env>().get('/', handle);
  listener = await startHttp(app, { http: { host: '127.0.0.1', port: 0 }, httpTls: undefined, uploads });
  return { url: `http://127.0.0.1:${listener.address.port}/`, listener };
}

it('a closing server finishes its answers and accepts no new request', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const { url, listener } = await serve(async () => {
    arrive();
    await allowed;
    return new Response('done');
  });
  const answer = fetch(url).then((response) => response.text());
  await arrived;
  const closed = listener.close(10_000);
  await expect(fetch(url)).rejects.toThrow();
  allow();
  expect(await answer).toBe('done');
  await closed;
});

it('a closing server aborts unfinished requests at the deadline', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { url, listener } = await serve(() => {
    arrive();
    return new Promise(() => {});
  });
  const answer = fetch(url);
  answer.catch(() => {});
  await arrived;
  await listener.close(1);
  await expect(answer).rejects.toThrow();
});

it('a malformed request gets an answer in JSON', async () => {
  const { url } = await serve(async () => new Response('never'));
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const asked = request(url, { headers: { Host: 'a b' } }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => resolve([response.statusCode, text]));
  });
  asked.on('error', reject);
  asked.end();
  expect(await promise).toEqual([400, '{"message":"Bad Request"}']);
});

it('the server closes a connection on which a refused body is still arriving, and keeps others open', async () => {
  const app = new Hono<Env>()
    .post('/refused', () => new Response('no', { status: 413 }))
    .post('/opened', (c) => new Response(c.req.raw.body === null ? 'no' : 'unread', { status: 422 }))
    .post('/read', async (c) => new Response(String((await c.req.text()).length)));
  const http = { host: '127.0.0.1', port: 0 };
  listener = await startHttp(app, { http, httpTls: undefined, uploads });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async (path: string, bytes: number) => {
    const options = { ...http, port: listener!.address.port, path, agent, method: 'POST' };
    const asked = request(options).end(Buffer.alloc(bytes, 'x'));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await answer.resume().toArray();
    return [answer.statusCode, answer.headers.connection];
  };
  for (const path of ['/refused', '/opened']) {
    expect((await post(path, 2_000_000))[1], path).toBe('close');
    expect(await post('/read', 2_000_000), path).toEqual([200, 'keep-alive']);
    expect(await post('/read', 20), path).toEqual([200, 'keep-alive']);
  }
  agent.destroy();
});

it('a client that is still writing a short body gets its refusal, and keeps the connection', async () => {
  const app = new Hono<Env>().post('/refused', () => new Response('no', { status: 404 }));
  const http = { host: '127.0.0.1', port: 0 };
  listener = await startHttp(app, { http, httpTls: undefined, uploads });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const options = { ...http, port: listener.address.port, path: '/refused', agent, method: 'POST' };
  const begun = request({ ...options, headers: { 'Content-Length': 20 } });
  begun.write('x'.repeat(10));
  const response = once(begun, 'response') as Promise<[IncomingMessage]>;
  await setTimeout(100);
  begun.end('x'.repeat(10));
  const [answer] = await response;
  expect([answer.statusCode, answer.headers.connection]).toEqual([404, 'keep-alive']);
  await answer.resume().toArray();
  // The rest never comes.
  const stuck = request({ ...options, headers: { 'Content-Length': 20 } });
  stuck.write('x');
  const [cut] = (await once(stuck, 'response')) as [IncomingMessage];
  expect([cut.statusCode, cut.headers.connection]).toEqual([404, 'close']);
  agent.destroy();
});

it('the server speaks HTTPS, and replaces its certificate without a pause', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'innkeeper-tls-'));
  const httpTls = { certFile: join(dir, 'crt'), keyFile: join(dir, 'key') };
  const install = async () => {
    const { chainPem, keyPem } = await signServerCertificate(authority, {
      hosts: ['127.0.0.1'],
      lifetimeMs: 60_000,
    });
    writeFileSync(httpTls.certFile, chainPem);
    writeFileSync(httpTls.keyFile, keyPem);
  };
  await install();
  const app = new Hono<Env>().get('/', () => new Response('secret'));
  listener = await startHttp(app, { http: { host: '127.0.0.1', port: 0 }, httpTls, uploads });
  const { port } = listener.address;
  const serialNumber = async () => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority.certificatePem });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const first = await serialNumber();
  await install();
  expect(await serialNumber()).toBe(first);
  listener.reloadTls();
  expect(await serialNumber()).not.toBe(first);
  rmSync(dir, { recursive: true });
  expect(() => listener?.reloadTls()).toThrow('ENOENT');
  expect(await serialNumber()).not.toBe(first);
});
