import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { type ChannelOptions, credentials } from '@grpc/grpc-js';
import { createNodeServiceClient, type NodeServiceClient } from '../wire/client.ts';
import { splitTarget } from './target.ts';

/** Host name for SNI, which must not be an IP address (RFC 6066, 3). No server reads it. */
const ANY_NAME = 'control-plane.innkeeper.internal';

/**
 * A client of the node service at `target` that trusts only servers of this CA with a certificate for the host of
 * `target`. With `own` it also presents a client certificate.
 */
export function connectSecurely(
  target: string,
  caPem: string,
  own?: { certificatePem: string; keyPem: string },
  options: ChannelOptions = {},
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
    { ...options, ...(isAddress ? { 'grpc.ssl_target_name_override': ANY_NAME } : {}) },
  );
}
