import { encodeJoinToken } from '@innkeeper/protocol/identity';
import { readCaFingerprint } from '@innkeeper/protocol/keys';
import type { InnctlConfig } from './config.ts';

/**
 * Makes join tokens of secrets, with the CA that the node shall recognise and the address it shall call. Reads
 * the CA at once, so that nothing is written to the database where the keys are missing.
 */
export function joinTokenSealer(config: InnctlConfig): (node: string, secret: string) => string {
  const ca = readCaFingerprint(config.keysDir());
  const control = config.nodeServiceAddress();
  return (node, secret) => encodeJoinToken({ node, secret, ca, control });
}
