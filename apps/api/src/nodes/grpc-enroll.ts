import { checkCsr } from '@innkeeper/protocol/identity';
import { checkNatsUserKey } from '@innkeeper/protocol/nats';
import type { NodeRequest, NodeResponse } from '@innkeeper/protocol/wire';
import { enrollNode } from '@innkeeper/services';
import { issueNodeIdentity } from './grpc-identity.ts';
import type { NodeServiceDeps } from './grpc-method.ts';

/** The keys are checked first: a token is not used up by a request that cannot be signed. */
export async function enroll(
  deps: NodeServiceDeps,
  request: NodeRequest<'Enroll'>,
  peer: string,
): Promise<NodeResponse<'Enroll'>> {
  await checkCsr(request.csr_pem);
  checkNatsUserKey(request.nats_public_key);
  const node = await enrollNode(deps.db, { secret: request.join_token, address: peer });
  deps.log.info({ node_id: node.node_id }, 'A node was enrolled.');
  return issueNodeIdentity(deps, node, request);
}
