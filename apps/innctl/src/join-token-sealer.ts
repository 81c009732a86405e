import { encodeJoinToken } from '@innkeeper/protocol/identity';
import { readCaFingerprint } from '@innkeeper/protocol/keys';
import type { InnctlConfig } from './config.ts';

/**
 * Returns a function that makes join tokens from secrets. A token contains the CA that the node must trust and the
 * address that it must call. Reads the CA at once, so that a command with missing keys fails before it writes to the
 * database.
 */
export function joinTokenSealer(config: InnctlConfig): (node: string, secret: string) => string {
  const ca = readCaFingerprint(config.keysDir());
  const control = config.nodeServiceAddress();
  return (node, secret) => encodeJoinToken({ node, secret, ca, control });
}
