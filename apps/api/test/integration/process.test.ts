import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestDatabase, freePort, startTestNats, waitUntil } from '@innkeeper/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';

const main = join(import.meta.dirname, '../../../../dist/innkeeper-api.mjs');
let parts: AsyncDisposableStack;
beforeEach(() => {
  parts = new AsyncDisposableStack();
});
afterEach(() => parts.disposeAsync());

function start(env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, exit: once(child, 'exit'), output: () => output };
}

it('the process exits with the name and the rule of every missing setting', async () => {
  const { exit, output } = start({});
  expect((await exit)[0]).toBe(1);
  expect(output().trim().split('\n')).toEqual([
    expect.stringMatching(/^INNKEEPER_DATABASE_URL must be set/),
    expect.stringMatching(/^INNKEEPER_KEYS_DIR must be set/),
    expect.stringMatching(/^INNKEEPER_PUBLIC_HOST must name/),
  ]);
});

it('the process serves without a database, reports that, and exits with 0 after SIGTERM', async () => {
  const nats = await startTestNats();
  parts.defer(() => nats.remove());
  const [http, grpc, metrics] = [await freePort(), await freePort(), await freePort()];
  const { child, exit, output } = start({
    INNKEEPER_DATABASE_URL: `mysql://u:s3cret@127.0.0.1:${await freePort()}/x`,
    INNKEEPER_KEYS_DIR: nats.keysDir,
    INNKEEPER_NATS_URL: nats.url,
    INNKEEPER_PUBLIC_HOST: '127.0.0.1',
    INNKEEPER_HTTP_ADDRESS: `127.0.0.1:${http}`,
    INNKEEPER_GRPC_ADDRESS: `127.0.0.1:${grpc}`,
    INNKEEPER_METRICS_ADDRESS: `127.0.0.1:${metrics}`,
  });
  const ask = (path: string, token: string) =>
    fetch(`http://127.0.0.1:${http}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
  await waitUntil('the API', async () => (await ask('/health', 'none')).ok);
  expect((await ask('/health', 'none')).headers.get('X-RateLimit-Limit')).toBe('60');
  expect((await ask('/auth/me', 'ik_000000000000000000000000000000001rePMz')).status).toBe(503);
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(text).toContain('innkeeper_api_http_request_duration_seconds_bucket');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(output()).not.toMatch(/s3cret|ik_0/);
  expect(output()).toContain('stopped');
});

it('the process names the address that it cannot listen on', async () => {
  const nats = await startTestNats();
  parts.defer(() => nats.remove());
  const database = await createTestDatabase();
  parts.defer(() => database.drop());
  const taken = new URL(nats.url).port;
  const { exit, output } = start({
    INNKEEPER_DATABASE_URL: database.url,
    INNKEEPER_KEYS_DIR: nats.keysDir,
    INNKEEPER_NATS_URL: nats.url,
    INNKEEPER_PUBLIC_HOST: '127.0.0.1',
    INNKEEPER_HTTP_ADDRESS: `127.0.0.1:${taken}`,
    INNKEEPER_GRPC_ADDRESS: `127.0.0.1:${await freePort()}`,
    INNKEEPER_METRICS_ADDRESS: `127.0.0.1:${await freePort()}`,
  });
  expect((await exit)[0]).toBe(1);
  expect(output()).toContain(`Cannot listen on 127.0.0.1 port ${taken}`);
});
