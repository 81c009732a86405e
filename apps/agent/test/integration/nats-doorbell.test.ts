import { subjects, type WakeMessage } from '@innkeeper/protocol';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { generateNatsUserKey, signNodeNatsUser } from '@innkeeper/protocol/nats';
import { startTestNats, type TestNats, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Doorbell, openDoorbell } from '../../src/transport/nats-doorbell.ts';

let nats: TestNats;
let identity: NodeIdentity;
let doorbell: Doorbell | undefined;
const wakes: WakeMessage[] = [];
let connects = 0;

beforeAll(async () => {
  nats = await startTestNats();
  identity = await identityOf(3, nats.url);
});
afterAll(() => nats.remove());
beforeEach(async () => {
  await nats.start();
  wakes.length = 0;
  connects = 0;
});
afterEach(async () => {
  await doorbell?.close();
  doorbell = undefined;
});

const HOUR_MS = 3_600_000;

/** `holdsMs`: for how long NATS accepts the user, which is an hour longer than the certificate holds. */
async function identityOf(nodeId: number, url: string, holdsMs = HOUR_MS): Promise<NodeIdentity> {
  const user = generateNatsUserKey();
  const certificateExpiresAt = new Date(Date.now() + holdsMs - HOUR_MS);
  return {
    node_id: nodeId,
    ca_pem: nats.keys.authority.certificatePem,
    nats_url: url,
    nats_seed: user.seed,
    nats_jwt: await signNodeNatsUser(nats.keys.natsSigner, {
      nodeId,
      publicKey: user.publicKey,
      certificateExpiresAt,
    }),
  } as NodeIdentity;
}

function open(newest: () => NodeIdentity = () => identity): void {
  const silent = () => {};
  doorbell = openDoorbell({
    identity: newest,
    onWake: (message) => wakes.push(message),
    onConnected: () => {
      connects += 1;
    },
    log: { debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  });
}

async function ring(subject: string, ...payloads: string[]): Promise<void> {
  const control = await connect({
    servers: nats.url,
    tls: { ca: nats.keys.authority.certificatePem },
    authenticator: credsAuthenticator(nats.keys.natsCredentials),
  });
  for (const payload of payloads) control.publish(subject, payload);
  await control.drain();
}

const connected = (times: number) =>
  waitUntil(`connection ${times}`, () => connects >= times, { timeoutMs: 20_000 });
const wake = JSON.stringify({ account_id: 7, generation: 2 });

it('hears the wakes of its node and no others', async () => {
  open();
  await connected(1);
  await ring(subjects.nodeWake(4), wake);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
  expect(wakes).toEqual([{ account_id: 7, generation: 2 }]);
});

it('outlives what is no wake', async () => {
  open();
  await connected(1);
  const garbage = ['', '{', 'null', '[]', '{"account_id":"7"}', '{"account_id":7,"generation":0}'];
  await ring(subjects.nodeWake(3), ...garbage, wake);
  await waitUntil('the wake', () => wakes.length > 0);
  expect(wakes).toEqual([{ account_id: 7, generation: 2 }]);
});

it('waits for a NATS server that is not there yet', async () => {
  await nats.stop();
  open();
  await nats.start();
  await connected(1);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

it('comes back after the server was gone, says so, and takes the newest user with it', async () => {
  let newest = identity;
  open(() => newest);
  await connected(1);
  await nats.stop();
  newest = await identityOf(3, nats.url);
  await nats.start();
  await connected(2);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

it('when its user expires it comes back with the newest one', async () => {
  let newest = await identityOf(3, nats.url, 2_000);
  open(() => newest);
  await connected(1);
  newest = identity;
  await connected(2);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

it('is quiet, and ends at once, where there is no NATS', async () => {
  open(() => ({ ...identity, nats_url: null }));
  await doorbell?.close();
  expect(connects).toBe(0);
});

it('ends at once while it waits for a server', async () => {
  await nats.stop();
  open();
  await doorbell?.close();
  expect(connects).toBe(0);
});
