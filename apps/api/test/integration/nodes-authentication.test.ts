import { Client, credentials, status } from '@grpc/grpc-js';
import { connectAsNode, connectSecurely, type NodeIdentity } from '@innkeeper/protocol/client';
import {
  createCertificateAuthority,
  generatePrivateKeyPem,
  loadCertificateAuthority,
  makeCsr,
  signNodeCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import { fetchArchive, type NodeMethod, type NodeRequest, nodeMethods } from '@innkeeper/protocol/wire';
import { removeNode } from '@innkeeper/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wellFormed } from '../node-messages.ts';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

let rig: NodeServiceRig;
let identity: NodeIdentity;
beforeAll(async () => {
  rig = await startNodeServiceRig();
  identity = (await rig.startNode()).identity;
});
afterAll(() => rig.stop());

const closedMethods = nodeMethods.filter((method) => method !== 'Enroll');

interface Certificate {
  certificatePem: string;
  keyPem: string;
}

async function nodeCertificate(authority = rig.keys.authority, now = new Date()): Promise<Certificate> {
  const keyPem = generatePrivateKeyPem();
  const csrPem = await makeCsr(keyPem);
  const { certificatePem } = await signNodeCertificate(authority, {
    csrPem,
    nodeId: identity.node_id,
    issue: { epoch: 1, number: 1 },
    now,
  });
  return { certificatePem, keyPem };
}

const strangers: Record<string, () => Promise<Certificate | undefined>> = {
  'no certificate': async () => undefined,
  'a certificate of its own authority': async () => {
    const own = await createCertificateAuthority();
    return nodeCertificate(loadCertificateAuthority(own.certificatePem, own.keyPem));
  },
  'a self-signed certificate': createCertificateAuthority,
  'a certificate that has expired': () =>
    nodeCertificate(rig.keys.authority, new Date(Date.now() - 25 * 3_600_000)),
  'a certificate of the future': () =>
    nodeCertificate(rig.keys.authority, new Date(Date.now() + 10 * 60_000)),
  'a server’s certificate': async () => {
    const { chainPem, keyPem } = await signServerCertificate(rig.keys.authority, {
      hosts: ['a.test'],
      lifetimeMs: 60_000,
    });
    return { certificatePem: chainPem, keyPem };
  },
};

async function call(method: NodeMethod, certificate: Certificate | undefined): Promise<unknown> {
  const client = connectSecurely(rig.control, rig.keys.authority.certificatePem, certificate);
  try {
    return await client.call(method, {} as NodeRequest<typeof method>, 5_000);
  } finally {
    client.close();
  }
}

it.each(Object.keys(strangers))('FetchArchive refuses a caller with %s', async (stranger) => {
  const certificate = await strangers[stranger]?.();
  const client = connectSecurely(rig.control, rig.keys.authority.certificatePem, certificate);
  const wanted = { session_id: 's'.repeat(24), account_id: 1, release_id: 1 };
  try {
    await expect(fetchArchive(client, wanted, { deadlineMs: 5_000 }).next()).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
      details: expect.stringMatching(/^Refused: /),
    });
  } finally {
    client.close();
  }
});

describe.each(closedMethods)('%s', (method) => {
  it.each(Object.keys(strangers))('refuses a caller with %s', async (stranger) => {
    const certificate = await strangers[stranger]?.();
    await expect(call(method, certificate)).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
      details: expect.stringMatching(/^Refused: /),
    });
  });

  it('accepts the certificate of a node', async () => {
    await expect(call(method, await nodeCertificate())).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  });

  it('refuses a removed node', async () => {
    const { name, joinToken } = await rig.addNode();
    const node = await rig.startNode({ joinToken });
    await node.vanish();
    await removeNode(rig.ctx, { node: name });
    const client = connectAsNode(node.identity);
    await expect(client.call(method, await wellFormed(method, node.sessionId), 5_000)).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
      details: expect.stringContaining('removed'),
    });
    client.close();
  });
});

it('a peer without TLS cannot connect', async () => {
  const client = new Client(rig.control, credentials.createInsecure());
  const ready = new Promise<void>((resolve, reject) =>
    client.waitForReady(Date.now() + 1_000, (error) => (error ? reject(error) : resolve())),
  );
  await expect(ready).rejects.toThrow();
  client.close();
});
