import type { MethodDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { descriptor, type NodeService, packageName } from './node.gen.ts';

/** Methods with one answer, and those that answer a stream of chunks. */
export type NodeMethod = {
  [M in keyof NodeService]: NodeService[M] extends { response: unknown } ? M : never;
}[keyof NodeService];
export type NodeStream = Exclude<keyof NodeService, NodeMethod>;
export type NodeRequest<M extends keyof NodeService> = NodeService[M]['request'];
export type NodeResponse<M extends NodeMethod> = NodeService[M]['response'];
export type NodeChunk<M extends NodeStream> = NodeService[M]['chunk'];

export type NodeServiceDefinition = {
  readonly [M in NodeMethod]: MethodDefinition<NodeRequest<M>, NodeResponse<M>>;
} & {
  readonly [M in NodeStream]: MethodDefinition<NodeRequest<M>, NodeChunk<M>>;
};

/**
 * The node service for gRPC. 64-bit integers are text on the way in and out; an absent list is empty, an
 * absent `optional` has no property.
 */
export const nodeServiceDefinition = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: String,
  defaults: true,
})[`${packageName}.NodeService`] as unknown as NodeServiceDefinition;

/** The methods with one answer. */
export const nodeMethods = Object.entries(nodeServiceDefinition)
  .filter(([, { responseStream }]) => !responseStream)
  .map(([name]) => name as NodeMethod);

/** Bytes. The largest message: the spec of an account that has as much of everything as one may have. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
