import { checkCsr } from '@innkeeper/protocol/identity';
import { checkNatsUserKey } from '@innkeeper/protocol/nats';
import type { NodeRequest, NodeResponse } from '@innkeeper/protocol/wire';
import { enrollNode, requireJoinSecret } from '@innkeeper/services';
import { signNodeIdentity } from './identity.ts';
import type { NodeServiceDeps } from './method.ts';

/**
 * Enrols a node. It checks the token first, so that an untrusted client costs one read and no cryptography. It consumes
 * the token last, so that a request that cannot be signed does not use it up.
 */
export async function enroll(
  deps: NodeServiceDeps,
  request: NodeRequest<'Enroll'>,
  peer: string,
): Promise<NodeResponse<'Enroll'>> {
  const { join_token: secret, nats_public_key } = request;
  await requireJoinSecret(deps.db, secret);
  await checkCsr(request.csr_pem);
  checkNatsUserKey(nats_public_key);
  const node = await enrollNode(deps.db, { secret, nats_public_key, address: peer, now: new Date() });
  deps.log.info({ node_id: node.node_id }, 'A node was enrolled.');
  deps.onIdentityEnded();
  return signNodeIdentity(deps, node, request);
}
