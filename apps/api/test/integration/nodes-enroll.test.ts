import { X509Certificate } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { connectSecurely, enrollNode, renewNodeIdentity } from '@innkeeper/protocol/client';
import { decodeJoinToken, generatePrivateKeyPem, makeCsr } from '@innkeeper/protocol/identity';
import { generateNatsUserKey } from '@innkeeper/protocol/nats';
import { removeNode } from '@innkeeper/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

let rig: NodeServiceRig;
beforeAll(async () => {
  rig = await startNodeServiceRig({ natsUrl: 'tls://panel.test:4222' });
});
afterAll(() => rig.stop());

const enroll = (joinToken: string) => enrollNode(rig.control, decodeJoinToken(joinToken));
const refused = { code: status.PERMISSION_DENIED };

describe('enrolment', () => {
  it('a join token enrols its node and tells it the address of NATS', async () => {
    const added = await rig.addNode();
    const identity = await enroll(added.joinToken);
    expect(identity).toMatchObject({
      node_id: added.id,
      node_name: added.name,
      control: rig.control,
      ca_pem: rig.keys.authority.certificatePem,
      nats_url: 'tls://panel.test:4222',
    });
    expect(new X509Certificate(identity.certificate_pem).subject).toBe(`CN=node-${added.id}`);
    const node = await rig.startNode({ identity });
    expect(node.id).toBe(added.id);
  });

  it('a join token works once', async () => {
    const { joinToken } = await rig.addNode();
    await enroll(joinToken);
    await expect(enroll(joinToken)).rejects.toMatchObject({
      ...refused,
      details: expect.stringMatching(/used already/),
    });
  });

  it('a join token works once when many use it at the same time', async () => {
    const { joinToken } = await rig.addNode();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => enroll(joinToken)));
    expect(tries.filter((tried) => tried.status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses a token that has expired', async () => {
    const { id, joinToken } = await rig.addNode();
    await rig.database.db
      .updateTable('node_join_tokens')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('node_id', '=', id)
      .execute();
    await expect(enroll(joinToken)).rejects.toMatchObject({
      ...refused,
      details: expect.stringMatching(/expired/),
    });
  });

  it('refuses a token that a newer one replaced', async () => {
    const { name, joinToken } = await rig.addNode();
    const newer = await rig.renewJoinToken(name);
    await expect(enroll(joinToken)).rejects.toMatchObject({
      ...refused,
      details: expect.stringMatching(/unknown/),
    });
    await expect(enroll(newer)).resolves.toMatchObject({ node_name: name });
  });

  it('refuses the token of another control plane', async () => {
    const { joinToken } = await rig.addNode();
    const foreign = { ...decodeJoinToken(joinToken), secret: 'a-secret-of-somebody-else' };
    await expect(enrollNode(rig.control, foreign)).rejects.toMatchObject({
      ...refused,
      details: expect.stringMatching(/unknown/),
    });
  });

  it('refuses the token of a node that was removed', async () => {
    const { name, joinToken } = await rig.addNode();
    await removeNode(rig.ctx, { node: name });
    await expect(enroll(joinToken)).rejects.toMatchObject(refused);
  });

  it.each([
    ['certificate request', { csr_pem: 'garbage' }, /csr_pem/],
    ['NATS key', { nats_public_key: `U${'A'.repeat(55)}` }, /nats_public_key/],
    ['NATS key of an account', { nats_public_key: `A${'A'.repeat(55)}` }, /nats_public_key/],
  ])('a malformed %s does not use the token up', async (_, wrong, details) => {
    const { joinToken } = await rig.addNode();
    const client = connectSecurely(rig.control, rig.keys.authority.certificatePem);
    const request = {
      join_token: decodeJoinToken(joinToken).secret,
      csr_pem: await makeCsr(generatePrivateKeyPem()),
      nats_public_key: generateNatsUserKey().publicKey,
    };
    await expect(client.call('Enroll', { ...request, ...wrong }, 5_000)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(details),
    });
    await expect(client.call('Enroll', request, 5_000)).resolves.toMatchObject({});
    client.close();
  });

  it('the log contains no secret', () => {
    const log = JSON.stringify(rig.logLines);
    expect(log).toContain('A node was enrolled.');
    expect(log).not.toMatch(/BEGIN CERTIFICATE|join_token|a-secret-of-somebody-else/);
  });
});

describe('renewal', () => {
  it('a renewal gives the node a new key, and the old one stays valid', async () => {
    const node = await rig.startNode();
    const client = connectSecurely(rig.control, node.identity.ca_pem, {
      certificatePem: node.identity.certificate_pem,
      keyPem: node.identity.private_key_pem,
    });
    const renewed = await renewNodeIdentity(client, node.identity);
    client.close();
    expect(renewed.node_id).toBe(node.id);
    expect(renewed.private_key_pem).not.toBe(node.identity.private_key_pem);
    expect(renewed.nats_seed).not.toBe(node.identity.nats_seed);
    await expect(rig.startNode({ identity: renewed })).resolves.toMatchObject({ id: node.id });
  });
});
