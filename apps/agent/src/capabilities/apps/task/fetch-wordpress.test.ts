import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireProgram } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../../node/changes.ts';
import { Exec } from '../../../node/exec.ts';
import { BuildLog } from './build-log.ts';
import { fetchWordPress } from './fetch-wordpress.ts';

let folder: string;
let mirror: Server;
let from: string;
let answer: { status: number; body: Buffer };
let archive: Buffer;
let into: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fetch-wordpress-'));
  mkdirSync(join(folder, 'wordpress/wp-includes'), { recursive: true });
  writeFileSync(join(folder, 'wordpress/wp-settings.php'), '<?php // settings');
  await requireProgram(['tar', '-czf', join(folder, 'archive.tar.gz'), '-C', folder, 'wordpress']);
  archive = readFileSync(join(folder, 'archive.tar.gz'));
  mirror = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  from = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/latest.tar.gz`;
});
afterAll(() => {
  mirror.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  into = mkdtempSync(join(folder, 'release-'));
  answer = { status: 200, body: archive };
});

async function fetchIt(sha256: string | null = null): Promise<void> {
  const log = new BuildLog(join(folder, 'log'));
  const { signal } = new AbortController();
  try {
    await fetchWordPress({ from, sha256 }, into, { exec: new Exec(new Changes()), log, signal });
  } finally {
    log.close();
  }
}

test('unpacks the folder of the archive and removes the archive', async () => {
  await fetchIt(createHash('sha256').update(archive).digest('hex'));
  expect(readFileSync(join(into, 'wp-settings.php'), 'utf8')).toBe('<?php // settings');
  expect(existsSync('/tmp/wordpress.tar.gz')).toBe(false);
});

test('does not unpack an archive with another checksum', async () => {
  await expect(fetchIt('0'.repeat(64))).rejects.toMatchObject({
    retry: false,
    message: expect.stringContaining('not the one'),
  });
  expect(existsSync(join(into, 'wp-settings.php'))).toBe(false);
});

test.each([
  ['half an archive', () => ({ status: 200, body: archive.subarray(0, 60) }), /is damaged/, true],
  ['a page', () => ({ status: 200, body: Buffer.from('<html>') }), /is damaged/, true],
  ['what is not there', () => ({ status: 404, body: Buffer.alloc(0) }), /answered 404/, false],
  ['trouble', () => ({ status: 503, body: Buffer.alloc(0) }), /answered 503/, true],
])('%s is refused with an explanation', async (_what, says, message, retry) => {
  answer = says();
  await expect(fetchIt()).rejects.toMatchObject({ message: expect.stringMatching(message), retry });
});

test('names a server that does not answer, and retries later', async () => {
  from = 'http://127.0.0.1:9/latest.tar.gz';
  await expect(fetchIt()).rejects.toMatchObject({
    message: expect.stringContaining('127.0.0.1:9'),
    retry: true,
  });
});
