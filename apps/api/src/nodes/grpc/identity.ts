import { signNodeCertificate } from '@innkeeper/protocol/identity';
import { signNodeNatsUser } from '@innkeeper/protocol/nats';
import { type NodeIdentity, uint64ToWire } from '@innkeeper/protocol/wire';
import type { IssuedIdentity } from '@innkeeper/services';
import type { NodeServiceDeps } from './method.ts';

/** Signs a certificate and a NATS user for an identity. Throws DomainError `invalid` for keys that cannot be signed. */
export async function signNodeIdentity(
  { keys, natsUrl }: NodeServiceDeps,
  node: IssuedIdentity,
  request: { csr_pem: string; nats_public_key: string },
): Promise<NodeIdentity> {
  const { certificatePem, expiresAt } = await signNodeCertificate(keys.authority, {
    csrPem: request.csr_pem,
    nodeId: node.node_id,
    issue: node.issue,
  });
  const natsJwt = await signNodeNatsUser(keys.natsSigner, {
    nodeId: node.node_id,
    publicKey: request.nats_public_key,
    certificateExpiresAt: expiresAt,
  });
  return {
    node_id: uint64ToWire(node.node_id, 'node_id'),
    node_name: node.name,
    certificate_pem: certificatePem,
    ca_pem: keys.authority.certificatePem,
    nats_jwt: natsJwt,
    nats_url: natsUrl ?? '',
  };
}
