import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ChannelOptions } from '@grpc/grpc-js';
import { DomainError } from '@innkeeper/domain';
import { z } from 'zod';
import type { NodeServiceClient } from '../wire/client.ts';
import { integerFromWire } from '../wire/integers.ts';
import type { NodeIdentity as NodeIdentityMessage } from '../wire/node.gen.ts';
import { connectSecurely } from './secure-client.ts';

/** A node's identity and its proof, as the agent stores them on disk. Secret: it contains two private keys. */
export const nodeIdentitySchema = z.strictObject({
  node_id: z.int().min(1),
  node_name: z.string().min(1).max(63),
  /** Address of the control plane that enrolled the node, `host:port`. */
  control: z.string().min(1).max(300),
  ca_pem: z.string().min(1),
  certificate_pem: z.string().min(1),
  private_key_pem: z.string().min(1),
  nats_seed: z.string().min(1),
  nats_jwt: z.string().min(1),
  /** Null: this control plane has no NATS, so the node polls. */
  nats_url: z.string().min(1).nullable(),
});

export type NodeIdentity = z.infer<typeof nodeIdentitySchema>;

/** The keys that a node generates before it requests a certificate. */
export interface NodeKeys {
  privateKeyPem: string;
  natsSeed: string;
}

/** Combines an answer with the keys that it was issued for. Throws DomainError `invalid` if they do not match. */
export function makeNodeIdentity(
  control: string,
  keys: NodeKeys,
  message: NodeIdentityMessage,
): NodeIdentity {
  const parsed = nodeIdentitySchema.safeParse({
    node_id: integerFromWire(message.node_id),
    node_name: message.node_name,
    control,
    ca_pem: message.ca_pem,
    certificate_pem: message.certificate_pem,
    private_key_pem: keys.privateKeyPem,
    nats_seed: keys.natsSeed,
    nats_jwt: message.nats_jwt,
    nats_url: message.nats_url === '' ? null : message.nats_url,
  });
  const damage = parsed.success ? damageOf(parsed.data) : parsed.error.issues[0]?.path.join('.');
  if (!parsed.success || damage !== undefined)
    throw new DomainError(
      'invalid',
      `The control plane answered with an identity that cannot be used: ${damage}.`,
    );
  return parsed.data;
}

/** Why a well-formed identity cannot be used. Undefined if it can. */
function damageOf(identity: NodeIdentity): string | undefined {
  try {
    const certificate = new X509Certificate(identity.certificate_pem);
    const authority = new X509Certificate(identity.ca_pem);
    if (!certificate.checkPrivateKey(createPrivateKey(identity.private_key_pem)))
      return 'the certificate is for another key';
    if (!certificate.verify(authority.publicKey)) return 'the certificate is not signed by the CA beside it';
    return undefined;
  } catch {
    return 'a certificate is malformed';
  }
}

/** Start and end of the validity of an identity's certificate. */
export function certificateSpan(identity: NodeIdentity): { from: Date; to: Date } {
  const { validFromDate, validToDate } = new X509Certificate(identity.certificate_pem);
  return { from: validFromDate, to: validToDate };
}

/** A client that presents this identity and trusts only servers of its CA. */
export function connectAsNode(
  identity: NodeIdentity,
  target = identity.control,
  options: ChannelOptions = {},
): NodeServiceClient {
  const own = { certificatePem: identity.certificate_pem, keyPem: identity.private_key_pem };
  return connectSecurely(target, identity.ca_pem, own, options);
}
