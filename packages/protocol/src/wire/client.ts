import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  Metadata,
  type MethodDefinition,
} from '@grpc/grpc-js';
import { Channel, openingFrame } from './channel.ts';
import type { ChannelFrame, ChannelOpening } from './node.gen.ts';
import {
  MAX_MESSAGE_BYTES,
  type NodeChunk,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  type NodeStream,
  nodeServiceDefinition,
} from './service-definition.ts';

export interface StreamOptions {
  /** Timeout of the whole stream in ms. */
  deadlineMs: number;
  signal?: AbortSignal;
}

export interface NodeServiceClient {
  /** Makes one call. Rejects with grpc-js's ServiceError; after `deadlineMs` with DEADLINE_EXCEEDED. */
  call<M extends NodeMethod>(
    method: M,
    request: NodeRequest<M>,
    deadlineMs: number,
  ): Promise<NodeResponse<M>>;
  /**
   * Makes one call with a streamed answer. The call starts at the first iteration. It ends when the loop is left, when
   * `signal` aborts, and after `deadlineMs`. Backpressure: it requests more data only as fast as the caller reads.
   * Throws grpc-js's ServiceError; CANCELLED if `signal` aborted.
   */
  stream<M extends NodeStream>(
    method: M,
    request: NodeRequest<M>,
    options: StreamOptions,
  ): AsyncIterable<NodeChunk<M>>;
  /**
   * Opens a channel that the control plane asked for. The stream is destroyed with `ChannelLost` if the control plane
   * refuses it, after `deadlineMs`, and when the connection is lost.
   */
  openChannel(opening: ChannelOpening, deadlineMs: number): Channel;
  /** The underlying channel, for its connectivity state. */
  readonly channel: ReturnType<Client['getChannel']>;
  /** Closes the connection. Calls that have not reached the server yet fail. */
  close(): void;
  /** Closes the connection after all pending calls have been answered. */
  closeWhenIdle(): Promise<void>;
}

/**
 * A client of the node service at `target` (`host:port`). It connects at the first call and reconnects after the
 * connection is lost, with a jittered backoff of 0.5 to 15 s. It pings an idle connection, so that it detects a dead
 * peer within about 30 s.
 */
export function createNodeServiceClient(
  target: string,
  credentials: ChannelCredentials,
  options: ChannelOptions = {},
): NodeServiceClient {
  const client = new Client(target, credentials, {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 500,
    'grpc.max_reconnect_backoff_ms': 15_000,
    // Two clients of one process (tests, a certificate swap) must not share a TLS connection.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
    ...options,
  });
  const underWay = new Set<Promise<unknown>>();
  return {
    call: (method, request, deadlineMs) => {
      const call = callUnary(client, method, request, deadlineMs);
      underWay.add(call);
      const settled = () => void underWay.delete(call);
      call.then(settled, settled);
      return call;
    },
    stream: (method, request, options) => readStream(client, method, request, options),
    openChannel: (opening, deadlineMs) => openChannel(client, opening, deadlineMs),
    channel: client.getChannel(),
    close: () => client.close(),
    closeWhenIdle: async () => {
      await Promise.allSettled(underWay);
      client.close();
    },
  };
}

function callUnary<M extends NodeMethod>(
  client: Client,
  method: M,
  request: NodeRequest<M>,
  deadlineMs: number,
): Promise<NodeResponse<M>> {
  const { path, requestSerialize, responseDeserialize } = nodeServiceDefinition[method] as MethodDefinition<
    NodeRequest<M>,
    NodeResponse<M>
  >;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      { deadline: Date.now() + deadlineMs },
      (error, response) => {
        if (error !== null) reject(error);
        else if (response === undefined) reject(new Error(`${method} ended without an answer.`));
        else resolve(response as NodeResponse<M>);
      },
    );
  });
}

async function* readStream<M extends NodeStream>(
  client: Client,
  method: M,
  request: NodeRequest<M>,
  { deadlineMs, signal }: StreamOptions,
): AsyncGenerator<NodeChunk<M>, void, undefined> {
  const { path, requestSerialize, responseDeserialize } = nodeServiceDefinition[method] as MethodDefinition<
    NodeRequest<M>,
    NodeChunk<M>
  >;
  const call = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
    new Metadata(),
    { deadline: Date.now() + deadlineMs },
  );
  // A cancelled call emits an error. Without a listener it would be uncaught.
  call.on('error', () => {});
  const cancel = () => call.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    for await (const chunk of call) yield chunk as NodeChunk<M>;
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

function openChannel(client: Client, opening: ChannelOpening, deadlineMs: number): Channel {
  const { path, requestSerialize, responseDeserialize } = nodeServiceDefinition.OpenChannel;
  const call = client.makeBidiStreamRequest<ChannelFrame, ChannelFrame>(
    path,
    requestSerialize,
    responseDeserialize,
    new Metadata(),
    { deadline: Date.now() + deadlineMs },
  );
  call.write(openingFrame(opening));
  return new Channel(call, () => call.cancel());
}
