export { decodeAccountReport, encodeAccountReport } from './account-report-codec.ts';
export { decodeAccountSpec, encodeAccountSpec } from './account-spec-codec.ts';
export { createNodeServiceClient, type NodeServiceClient } from './client.ts';
export { integerFromWire, uint64ToWire } from './integers.ts';
export type { NodeIdentity } from './node.gen.ts';
export { decodeHello, encodeHeartbeat, encodeHello } from './node-session-codec.ts';
export {
  MAX_MESSAGE_BYTES,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  nodeMethods,
  nodeServiceDefinition,
} from './service-definition.ts';
