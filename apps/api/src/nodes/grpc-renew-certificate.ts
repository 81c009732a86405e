import { getEnrolledNode } from '@innkeeper/services';
import { issueNodeIdentity } from './grpc-identity.ts';
import type { NodeMethodHandler } from './grpc-method.ts';

export const renewCertificate: NodeMethodHandler<'RenewCertificate'> = async (deps, nodeId, request) =>
  issueNodeIdentity(deps, await getEnrolledNode(deps.db, { node_id: nodeId }), request);
