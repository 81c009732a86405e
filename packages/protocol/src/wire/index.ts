export { decodeAccountReport, encodeAccountReport } from './account-report-codec.ts';
export { decodeAccountSpec, encodeAccountSpec } from './account-spec-codec.ts';
export { Channel, ChannelLost, type FrameCall, type TerminalSize } from './channel.ts';
export { createNodeServiceClient, type NodeServiceClient, type StreamOptions } from './client.ts';
export { fetchArchive, type WantedArchive } from './fetch-archive.ts';
export { integerFromWire, uint64ToWire } from './integers.ts';
export type { ChannelFrame, ChannelOpening, NodeIdentity } from './node.gen.ts';
export { decodeHeartbeat, decodeHello, encodeHeartbeat, encodeHello } from './node-session-codec.ts';
export { decodeNodeSettings, encodeNodeSettings } from './node-settings-codec.ts';
export {
  MAX_MESSAGE_BYTES,
  type NodeChannel,
  type NodeChunk,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  type NodeStream,
  nodeMethods,
  nodeServiceDefinition,
} from './service-definition.ts';
export { decodeUsageReport, encodeUsageReport } from './usage-report-codec.ts';
