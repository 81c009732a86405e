import { heartbeatCountsSchema } from '@innkeeper/protocol';
import { decodeHeartbeat } from '@innkeeper/protocol/wire';
import { heartbeat as storeHeartbeat } from '@innkeeper/services';
import type { NodeMethodHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

export const heartbeat: NodeMethodHandler<'Heartbeat'> = async ({ db }, nodeId, request) => {
  await storeHeartbeat(db, {
    node_id: nodeId,
    session_id: sessionOf(request),
    ...parseFromNode(heartbeatCountsSchema, decodeHeartbeat(request)),
  });
  return {};
};
