import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NpmRegistry, startNpmRegistry } from './npm-registry.ts';

let behind: Server;
let asked: string[];
let cacheDir: string;
let registry: NpmRegistry;

beforeEach(async () => {
  asked = [];
  cacheDir = await mkdtemp(join(tmpdir(), 'innkeeper-npm-'));
  behind = createServer((request, response) => {
    asked.push(request.url!);
    const tarball = `${upstream()}left/-/left-1.0.0.tgz`;
    if (request.url === '/left')
      response.end(JSON.stringify({ versions: { '1.0.0': { dist: { tarball } } } }));
    else if (request.url === '/left/-/left-1.0.0.tgz') response.end('bytes');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  registry = await startNpmRegistry('127.0.0.1', { upstream: upstream(), cacheDir });
});

afterEach(async () => {
  await registry.stop();
  await close();
  await rm(cacheDir, { recursive: true });
});

const upstream = () => `http://127.0.0.1:${(behind.address() as AddressInfo).port}/`;
const get = async (path: string) => (await fetch(registry.url + path)).text();
async function close(): Promise<void> {
  behind.closeAllConnections();
  await new Promise((resolve) => behind.close(resolve));
}

test('tarballs have the address of the request, everything else is unchanged', async () => {
  const tarball = `${registry.url}left/-/left-1.0.0.tgz`;
  expect(JSON.parse(await get('left'))).toEqual({ versions: { '1.0.0': { dist: { tarball } } } });
  expect(await (await fetch(tarball)).text()).toBe('bytes');
});

test('a fetched answer is served again, even when the registry is unreachable', async () => {
  const all = async () => [await get('left'), await get('left/-/left-1.0.0.tgz')];
  const first = await all();
  await close();
  expect(await all()).toEqual(first);
  expect(asked).toEqual(['/left', '/left/-/left-1.0.0.tgz']);
});

test('only package names are forwarded, and an unknown one is not found', async () => {
  for (const path of ['-/npm/v1/security/audits', 'left/-/', 'left/1.0.0/x', '@left'])
    expect((await fetch(registry.url + path)).status).toBe(404);
  expect((await fetch(`${registry.url}left`, { method: 'PUT', body: 'x' })).status).toBe(405);
  expect(asked).toEqual([]);
  expect((await fetch(`${registry.url}nothing`)).status).toBe(404);
});
