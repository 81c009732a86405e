import { checkCsr } from '@innkeeper/protocol/identity';
import { checkNatsUserKey } from '@innkeeper/protocol/nats';
import { renewIdentity } from '@innkeeper/services';
import { signNodeIdentity } from './identity.ts';
import type { NodeMethodHandler } from './method.ts';

export const renewCertificate: NodeMethodHandler<'RenewCertificate'> = async (
  deps,
  nodeId,
  request,
  issue,
) => {
  await checkCsr(request.csr_pem);
  checkNatsUserKey(request.nats_public_key);
  const { nats_public_key } = request;
  return signNodeIdentity(
    deps,
    await renewIdentity(deps.db, { node_id: nodeId, issue, nats_public_key }),
    request,
  );
};
