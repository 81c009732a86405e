import type { MethodDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { descriptor, type NodeService, packageName } from './node.gen.ts';

/** Unary methods; below, those with a streamed answer. */
export type NodeMethod = {
  [M in keyof NodeService]: NodeService[M] extends { response: unknown } ? M : never;
}[keyof NodeService];
export type NodeStream = {
  [M in keyof NodeService]: NodeService[M] extends { chunk: unknown } ? M : never;
}[keyof NodeService];
/** Methods whose both ends send frames. */
export type NodeChannel = Exclude<keyof NodeService, NodeMethod | NodeStream>;
export type NodeRequest<M extends NodeMethod | NodeStream> = NodeService[M]['request'];
export type NodeResponse<M extends NodeMethod> = NodeService[M]['response'];
export type NodeChunk<M extends NodeStream> = NodeService[M]['chunk'];

export type NodeServiceDefinition = {
  readonly [M in NodeMethod]: MethodDefinition<NodeRequest<M>, NodeResponse<M>>;
} & {
  readonly [M in NodeStream]: MethodDefinition<NodeRequest<M>, NodeChunk<M>>;
} & {
  readonly [M in NodeChannel]: MethodDefinition<NodeService[M]['frame'], NodeService[M]['frame']>;
};

/**
 * The node service for gRPC. 64-bit integers are text in both directions. An absent list is empty, an absent `optional`
 * has no property.
 */
export const nodeServiceDefinition = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: String,
  defaults: true,
})[`${packageName}.NodeService`] as unknown as NodeServiceDefinition;

/** Names of the unary methods. */
export const nodeMethods = Object.entries(nodeServiceDefinition)
  .filter(([, { responseStream }]) => !responseStream)
  .map(([name]) => name as NodeMethod);

/**
 * Maximum size of a message in bytes (32 MiB). The largest message is the spec of an account with the maximum of
 * everything.
 */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
