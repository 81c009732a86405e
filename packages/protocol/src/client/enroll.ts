import { makeCsr } from '../identity/csr.ts';
import type { JoinToken } from '../identity/join-token.ts';
import { generatePrivateKeyPem } from '../identity/key-pair.ts';
import { generateNatsUserKey } from '../nats/user-jwt.ts';
import type { NodeServiceClient } from '../wire/client.ts';
import { findAuthorityOfServer } from './authority-of-server.ts';
import { makeNodeIdentity, type NodeIdentity } from './node-identity.ts';
import { connectSecurely } from './secure-client.ts';

const DEADLINE_MS = 20_000;

/**
 * Exchanges a join token for an identity at `target` (`host:port`). The token's secret is sent only over TLS to a
 * server with a certificate of the CA in the token. Throws DomainError `forbidden` for another server and `unavailable`
 * if there is none. If the token is rejected, throws grpc-js's ServiceError (PERMISSION_DENIED).
 */
export async function enrollNode(target: string, token: JoinToken): Promise<NodeIdentity> {
  const caPem = await findAuthorityOfServer(target, token.ca, DEADLINE_MS);
  const client = connectSecurely(target, caPem);
  try {
    const { keys, request } = await makeKeys();
    const answer = await client.call('Enroll', { ...request, join_token: token.secret }, DEADLINE_MS);
    return makeNodeIdentity(target, keys, { ...answer, ca_pem: caPem });
  } finally {
    client.close();
  }
}

/** Returns a new identity, with new keys, for a node that still has a valid one. */
export async function renewNodeIdentity(
  client: Pick<NodeServiceClient, 'call'>,
  identity: NodeIdentity,
): Promise<NodeIdentity> {
  const { keys, request } = await makeKeys();
  const answer = await client.call('RenewCertificate', request, DEADLINE_MS);
  return makeNodeIdentity(identity.control, keys, answer);
}

async function makeKeys() {
  const privateKeyPem = generatePrivateKeyPem();
  const nats = generateNatsUserKey();
  return {
    keys: { privateKeyPem, natsSeed: nats.seed },
    request: { csr_pem: await makeCsr(privateKeyPem), nats_public_key: nats.publicKey },
  };
}
