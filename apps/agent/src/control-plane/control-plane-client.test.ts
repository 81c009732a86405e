import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { NodeFacts } from '@innkeeper/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ControlPlaneServer } from '../../test/control-plane-server.ts';
import { specOf } from '../../test/specs.ts';
import { createLog } from '../node/log.ts';
import { ControlPlaneClient } from './control-plane-client.ts';
import { enrollAgent } from './enroll.ts';
import { findIdentity } from './identity-store.ts';

const facts: NodeFacts = {
  agent_version: '0.0.0-test',
  hostname: 'test',
  cpu_count: 1,
  memory_bytes: 1,
  disk_bytes: 1,
  disk_quota: 'accounting-only',
  io_limits: false,
  reserved_usernames: [],
  ledger_incomplete: false,
  node_versions: [],
  php_version: null,
  time_zone: null,
  ssh_fingerprint: null,
  ftp_fingerprint: null,
};

let stateDir: string;
let server: ControlPlaneServer;
const clients: ControlPlaneClient[] = [];
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'agent-'));
  server = await ControlPlaneServer.start('127.0.0.1');
  await enrollAgent({ joinToken: server.joinToken(), control: undefined, stateDir });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  server.stop();
  await rm(stateDir, { recursive: true });
});

async function connect(): Promise<ControlPlaneClient> {
  const identity = await findIdentity(stateDir);
  const log = createLog('fatal');
  const client = new ControlPlaneClient({ identity: identity!, stateDir, control: undefined, log });
  clients.push(client);
  return client;
}

it('uses a renewed identity once it is on disk, and drops no running call', async () => {
  const client = await connect();
  await client.hello(facts);
  server.want(specOf({}));
  const before = await findIdentity(stateDir);
  let renewing = true;
  const renewal = client.renewIdentity().finally(() => {
    renewing = false;
  });
  const calls: Promise<{ accounts: unknown[] }>[] = [];
  while (renewing) {
    calls.push(client.pullAccounts(0, 10, 0));
    await setImmediate();
  }
  await renewal;
  const after = await findIdentity(stateDir);
  expect(after?.certificate_pem).not.toBe(before?.certificate_pem);
  expect(after?.private_key_pem).not.toBe(before?.private_key_pem);
  const pages = await Promise.all([...calls, client.pullAccounts(0, 10, 0)]);
  expect(pages.every(({ accounts }) => accounts.length === 1)).toBe(true);
});

it('reports once that a later agent has taken over, and sends nothing more', async () => {
  const earlier = await connect();
  const later = await connect();
  let told = 0;
  earlier.onSuperseded(() => {
    told += 1;
  });
  await earlier.hello(facts);
  await later.hello(facts);
  const counts = {
    accounts: 0,
    accounts_failed: 0,
    warnings: [],
    figures: {},
    settings_generation: 0,
    settings_problem: '',
  };
  await expect(earlier.heartbeat(counts)).rejects.toMatchObject({ code: 'superseded', retryable: false });
  server.stop();
  await expect(earlier.heartbeat(counts)).rejects.toMatchObject({ code: 'superseded' });
  await expect(earlier.hello(facts)).rejects.toMatchObject({ code: 'superseded' });
  await expect(later.heartbeat(counts)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  expect(told).toBe(1);
});

it('sends a part of the usage of an interval, within its session', async () => {
  const client = await connect();
  await client.hello(facts);
  const figures = { cpu_ms: 5, memory_mb: 6, disk_mb: null, sent_bytes: 2 ** 40, requests: 7, errors: 1 };
  const accounts = [{ account_id: 1, ...figures }];
  await client.reportUsage({
    interval_start: 1_795_000_200,
    part: 3,
    server: null,
    accounts,
    sites: [],
    mail: [],
  });
  expect(server.usage).toMatchObject([
    { interval_start: '1795000200', part: 3, accounts: [{ account_id: '1', sent_bytes: `${2 ** 40}` }] },
  ]);
});

it('refuses values that exceed the message, before sending', async () => {
  const client = await connect();
  await expect(client.hello({ ...facts, cpu_count: -1 })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('cpu_count'),
  });
});

it('an unsubscribed listener gets no event, and one that throws does not stop the others', async () => {
  const client = await connect();
  const heard: string[] = [];
  client.onConnected(() => {
    throw new Error('a defect of a listener');
  });
  client.onConnected(() => heard.push('kept'));
  client.onConnected(() => heard.push('dropped'))();
  await client.hello(facts);
  await expect.poll(() => heard).toEqual(['kept']);
});

it('makes no call after close', async () => {
  const client = await connect();
  await client.close();
  await expect(client.hello(facts)).rejects.toMatchObject({ code: 'unavailable' });
});
