import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findIdentity, identityFile, storeIdentity } from './identity-store.ts';

const identity: NodeIdentity = {
  node_id: 3,
  node_name: 'web1',
  control: 'panel.test:8444',
  ca_pem: 'ca',
  certificate_pem: 'certificate',
  private_key_pem: 'private',
  nats_seed: 'seed',
  nats_jwt: 'jwt',
  nats_url: null,
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'identity-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('an unenrolled node has no identity', async () => {
  expect(await findIdentity(dir)).toBeUndefined();
});

it('returns the newest stored identity unchanged', async () => {
  await storeIdentity(dir, identity);
  await storeIdentity(dir, { ...identity, certificate_pem: 'renewed' });
  expect(await findIdentity(dir)).toEqual({ ...identity, certificate_pem: 'renewed' });
  expect(readdirSync(dirname(identityFile(dir)))).toEqual(['node.json']);
});

it('only root can read it', async () => {
  await storeIdentity(dir, identity);
  expect(statSync(identityFile(dir)).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(identityFile(dir))).mode & 0o777).toBe(0o700);
});

it('a damaged identity is an error that names the file and the remedy, without its content', async () => {
  await storeIdentity(dir, identity);
  writeFileSync(identityFile(dir), JSON.stringify({ ...identity, node_id: 'secret' }));
  await expect(findIdentity(dir)).rejects.toThrow(
    /node\.json is damaged\. Remove it and enrol this node again/,
  );
});
