import { status } from '@grpc/grpc-js';
import { findRevokedNatsUsers } from '@innkeeper/db';
import { subjects } from '@innkeeper/protocol';
import {
  connectAsNode,
  connectSecurely,
  enrollNode,
  type NodeIdentity,
  renewNodeIdentity,
} from '@innkeeper/protocol/client';
import {
  decodeJoinToken,
  generatePrivateKeyPem,
  makeCsr,
  signNodeCertificate,
} from '@innkeeper/protocol/identity';
import { readNatsRevoker } from '@innkeeper/protocol/keys';
import { generateNatsUserKey } from '@innkeeper/protocol/nats';
import { fetchArchive } from '@innkeeper/protocol/wire';
import { removeNode, revokeNode } from '@innkeeper/services';
import { type SimulatedNode, startTestNats, type TestNats, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator, jwtAuthenticator, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertAccount } from '../account-records.ts';
import { wellFormed } from '../node-messages.ts';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

let nats: TestNats;
let rig: NodeServiceRig;
let serial = 0;
beforeAll(async () => {
  nats = await startTestNats();
  rig = await startNodeServiceRig({ natsUrl: nats.url, keysDir: nats.keysDir });
});
afterAll(async () => {
  await rig.stop();
  await nats.remove();
});

const open: NatsConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

/** Subscribes to the wakes of a node, like an attacker with a copy of its identity. */
async function listenAs(identity: NodeIdentity): Promise<{ heard: string[]; connection: NatsConnection }> {
  const connection = await connect({
    servers: nats.url,
    tls: { ca: identity.ca_pem },
    authenticator: jwtAuthenticator(identity.nats_jwt, new TextEncoder().encode(identity.nats_seed)),
    reconnect: false,
  });
  open.push(connection);
  const heard: string[] = [];
  connection.subscribe(subjects.nodeWake(identity.node_id), {
    callback: (_, message) => void heard.push(message.string()),
  });
  await connection.flush();
  return { heard, connection };
}

async function connectControlPlane(): Promise<NatsConnection> {
  const connection = await connect({
    servers: nats.url,
    tls: { ca: nats.keys.authority.certificatePem },
    authenticator: credsAuthenticator(nats.keys.natsCredentials),
    reconnect: false,
  });
  open.push(connection);
  return connection;
}

const closed = [
  'RenewCertificate',
  'Hello',
  'Heartbeat',
  'PullAccounts',
  'ReportAccount',
  'ReportUsage',
] as const;

/** Calls every method with an identity and the current session. Every call must be refused. */
async function expectRefusedEverywhere(identity: NodeIdentity, sessionId: string): Promise<void> {
  const client = connectAsNode(identity);
  const refusal = { code: status.UNAUTHENTICATED, details: expect.stringContaining('identity has ended') };
  try {
    for (const method of closed) {
      const message = await wellFormed(method, method === 'Hello' ? 'session-of-a-thief' : sessionId);
      await expect(client.call(method, message, 5_000), method).rejects.toMatchObject(refusal);
    }
    const wanted = { session_id: sessionId, account_id: 1, release_id: 1 };
    await expect(fetchArchive(client, wanted, { deadlineMs: 5_000 }).next()).rejects.toMatchObject(refusal);
  } finally {
    client.close();
  }
  await expect(listenAs(identity)).rejects.toThrow(/authorization/i);
}

async function nodeWithThief(): Promise<{ name: string; node: SimulatedNode; stolen: NodeIdentity }> {
  const { name, joinToken } = await rig.addNode(`stolen${++serial}`);
  const node = await rig.startNode({ joinToken });
  return { name, node, stolen: structuredClone(node.identity) };
}

const enrollAgain = async (name: string) =>
  enrollNode(rig.control, decodeJoinToken(await rig.renewJoinToken(name)));

describe('a stolen identity', () => {
  beforeEach(() => nats.start());

  it('every method and NATS refuse it after the node has enrolled again, and the real agent works', async () => {
    const { name, node, stolen } = await nodeWithThief();
    const { connection } = await listenAs(stolen);
    const bystander = await rig.startNode();
    const other = await listenAs(bystander.identity);
    const control = await connectControlPlane();
    await node.vanish();

    const identity = await enrollAgain(name);
    const back = await rig.startNode({ identity });
    await waitUntil('NATS drops the thief', () => connection.isClosed());
    await expectRefusedEverywhere(stolen, back.sessionId);

    const { id } = await insertAccount(rig.database.db, { username: `tenant${serial}`, node_id: back.id });
    await waitUntil('the account', () => back.accounts.get(id));
    const own = await listenAs(identity);
    for (const id of [back.id, bystander.id]) control.publish(subjects.nodeWake(id), 'wake');
    await waitUntil('the wakes', () => own.heard.length > 0 && other.heard.length > 0);
    await expect(renewNodeIdentity(connectAsNode(identity), identity)).resolves.toMatchObject({
      node_id: back.id,
    });
  });

  it('every method and NATS refuse it after the node was revoked', async () => {
    const { name, node, stolen } = await nodeWithThief();
    const { connection } = await listenAs(stolen);
    expect(await revokeNode(rig.ctx, { node: name })).toMatchObject({ name, accounts: 0 });
    await readNatsRevoker(nats.keysDir)?.(nats.url, await findRevokedNatsUsers(rig.database.db));
    await waitUntil('NATS drops the thief', () => connection.isClosed());
    await expectRefusedEverywhere(stolen, node.sessionId);

    const back = await rig.startNode({ identity: await enrollAgain(name) });
    await back.call('Heartbeat', {
      session_id: back.sessionId,
      accounts: 0,
      accounts_failed: 0,
      warnings: [],
      figures: {},
      settings_generation: '0',
      settings_problem: '',
    });
  });

  it('NATS refuses the identity of a removed node', async () => {
    const { name, node, stolen } = await nodeWithThief();
    await node.vanish();
    await removeNode(rig.ctx, { node: name });
    await readNatsRevoker(nats.keysDir)?.(nats.url, await findRevokedNatsUsers(rig.database.db));
    await expect(listenAs(stolen)).rejects.toThrow(/authorization/i);
  });

  it('a restarted NATS server refuses it after the control plane has reconnected', async () => {
    const { name, node, stolen } = await nodeWithThief();
    await node.vanish();
    const identity = await enrollAgain(name);
    await nats.stop();
    await nats.start();
    rig.tellNatsOfRevocations();
    // The control plane tells the new server of the revocation when its own connection is back.
    await waitUntil(
      'the refusal',
      () =>
        listenAs(stolen).then(
          ({ connection }) => connection.close().then(() => false),
          () => true,
        ),
      { timeoutMs: 60_000 },
    );
    await listenAs(identity);
  });
});

describe('a renewal', () => {
  it('an older certificate cannot renew after a newer one was used, and a lost answer does not lock the node out', async () => {
    const { node, stolen } = await nodeWithThief();
    // The answers are lost, so the agent continues with its old identity.
    for (let lost = 0; lost < 3; lost++) await renewNodeIdentity(connectAsNode(stolen), stolen);
    const renewed = await renewNodeIdentity(connectAsNode(node.identity), node.identity);
    await node.vanish();
    const agent = await rig.startNode({ identity: renewed });
    await expect(renewNodeIdentity(connectAsNode(stolen), stolen)).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
      details: expect.stringContaining('A newer certificate of this node is in use'),
    });
    await expect(renewNodeIdentity(connectAsNode(agent.identity), agent.identity)).resolves.toBeDefined();
  });

  it('a renewal refuses the NATS key of another identity', async () => {
    const [one, two] = [await rig.startNode(), await rig.startNode()];
    const claims = JSON.parse(
      Buffer.from(two.identity.nats_jwt.split('.')[1] ?? '', 'base64url').toString('utf8'),
    ) as { sub: string };
    const csr_pem = await makeCsr(generatePrivateKeyPem());
    await expect(
      one.call('RenewCertificate', { csr_pem, nats_public_key: claims.sub }),
    ).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('another identity'),
    });
  });
});

it('a certificate from before epochs works and renews until the node enrols again', async () => {
  const { name, id } = await rig.addNode(`legacy${++serial}`);
  const keyPem = generatePrivateKeyPem();
  const request = { csrPem: await makeCsr(keyPem), nodeId: id, issue: null };
  const { certificatePem } = await signNodeCertificate(rig.keys.authority, request);
  const client = connectSecurely(rig.control, rig.keys.authority.certificatePem, { certificatePem, keyPem });
  try {
    const keys = async () => ({
      csr_pem: await makeCsr(generatePrivateKeyPem()),
      nats_public_key: generateNatsUserKey().publicKey,
    });
    expect(await client.call('RenewCertificate', await keys(), 5_000)).toMatchObject({ node_name: name });
    await enrollAgain(name);
    await expect(client.call('RenewCertificate', await keys(), 5_000)).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
  } finally {
    client.close();
  }
});

it('a peer without a join token causes no cryptographic work', async () => {
  const client = connectSecurely(rig.control, rig.keys.authority.certificatePem);
  try {
    await expect(
      client.call('Enroll', { join_token: 'x'.repeat(43), csr_pem: 'none', nats_public_key: 'none' }, 5_000),
    ).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
  } finally {
    client.close();
  }
});

it('an address with 20 refused join tokens causes no more database queries', async () => {
  const own = await startNodeServiceRig();
  const client = connectSecurely(own.control, own.keys.authority.certificatePem);
  const attempt = (join_token: string) =>
    client.call('Enroll', { join_token, csr_pem: 'none', nats_public_key: 'none' }, 5_000);
  try {
    for (let tried = 0; tried < 20; tried++)
      await expect(attempt('x'.repeat(43))).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
    await expect(attempt('x'.repeat(43))).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  } finally {
    client.close();
    await own.stop();
  }
});
