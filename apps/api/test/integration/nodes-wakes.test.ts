import { subjects } from '@innkeeper/protocol';
import { startTestNats, type TestNats, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator } from 'nats';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertAccount } from '../account-records.ts';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

const HOUR_MS = 3_600_000;

let nats: TestNats;
let rig: NodeServiceRig;
beforeAll(async () => {
  nats = await startTestNats();
  rig = await startNodeServiceRig({ natsUrl: nats.url, keysDir: nats.keysDir });
});
afterAll(async () => {
  await rig.stop();
  await nats.remove();
});
beforeEach(() => nats.start());

async function ring(nodeId: number): Promise<void> {
  const control = await connect({
    servers: nats.url,
    tls: { ca: nats.keys.authority.certificatePem },
    authenticator: credsAuthenticator(nats.keys.natsCredentials),
  });
  control.publish(subjects.nodeWake(nodeId), JSON.stringify({ account_id: 1, generation: 1 }));
  await control.drain();
}

it('a wake makes a node pull before its next poll', async () => {
  const node = await rig.startNode({ pollIntervalMs: HOUR_MS });
  const { id } = await insertAccount(rig.database.db, { username: 'woken', node_id: node.id });
  await ring(node.id);
  const account = await waitUntil('the account', () => node.accounts.get(id));
  expect(account.linux_user).toBe('woken');
});

it('without NATS a node finds its accounts by polling', async () => {
  await nats.stop();
  const node = await rig.startNode();
  const { id } = await insertAccount(rig.database.db, { username: 'polled', node_id: node.id });
  const account = await waitUntil('the account', () => node.accounts.get(id));
  expect(account.linux_user).toBe('polled');
});
