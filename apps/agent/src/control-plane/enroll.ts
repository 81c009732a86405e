import { DomainError } from '@innkeeper/domain';
import { enrollNode, type NodeIdentity } from '@innkeeper/protocol/client';
import { decodeJoinToken } from '@innkeeper/protocol/identity';
import { controlPlaneErrorOf } from './call-error.ts';
import { storeIdentity } from './identity-store.ts';

/**
 * Enrols this machine as a node: exchanges a join token for an identity and stores it. `control` (`host:port`)
 * overrides the address in the token. Throws DomainError if the token is damaged, names no address or belongs to
 * another control plane. Throws ControlPlaneError if the control plane refuses the token.
 */
export async function enrollAgent(options: {
  joinToken: string;
  control: string | undefined;
  stateDir: string;
}): Promise<NodeIdentity> {
  const token = decodeJoinToken(options.joinToken);
  const target = options.control ?? token.control;
  if (target === null)
    throw new DomainError(
      'invalid',
      'The join token has no address of the control plane. Set INNKEEPER_CONTROL to its HOST:PORT.',
    );
  let identity: NodeIdentity;
  try {
    identity = await enrollNode(target, token);
  } catch (error) {
    throw error instanceof DomainError ? error : controlPlaneErrorOf('Enroll', error);
  }
  await storeIdentity(options.stateDir, identity);
  return identity;
}
