import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { createNodeServiceClient, type NodeServiceClient } from '../wire/client.ts';
import { splitTarget } from './target.ts';

/** A name for SNI, which must not be an address (RFC 6066, 3). Nobody looks at it. */
const ANY_NAME = 'control-plane.innkeeper.internal';

/**
 * A client of the node service at `target` that believes only servers of this CA whose certificate is for
 * the host of `target`. With `own` it presents a certificate itself.
 */
export function connectSecurely(
  target: string,
  caPem: string,
  own?: { certificatePem: string; keyPem: string },
): NodeServiceClient {
  const { host } = splitTarget(target);
  const isAddress = isIP(host) !== 0;
  return createNodeServiceClient(
    target,
    credentials.createSsl(
      Buffer.from(caPem),
      own === undefined ? null : Buffer.from(own.keyPem),
      own === undefined ? null : Buffer.from(own.certificatePem),
      isAddress ? { checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) } : {},
    ),
    isAddress ? { 'grpc.ssl_target_name_override': ANY_NAME } : {},
  );
}
