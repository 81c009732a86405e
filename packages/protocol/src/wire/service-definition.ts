import type { MethodDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { descriptor, type NodeService, packageName } from './node.gen.ts';

export type NodeMethod = keyof NodeService;
export type NodeRequest<M extends NodeMethod> = NodeService[M]['request'];
export type NodeResponse<M extends NodeMethod> = NodeService[M]['response'];

export type NodeServiceDefinition = {
  readonly [M in NodeMethod]: MethodDefinition<NodeRequest<M>, NodeResponse<M>>;
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

export const nodeMethods = Object.keys(nodeServiceDefinition) as NodeMethod[];

/** Bytes. The largest message: a page of specs, or the spec or report of an account with 10,000 domains. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
