import type { Http2Server } from 'node:http2';
import { type ConnectionInjector, Server, ServerCredentials, type ServerOptions } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES, nodeServiceDefinition } from '@innkeeper/protocol/wire';
import type { ListenAddress, NodeConnectionLimits } from '../../config.ts';
import { natsUrlForNodes } from '../nats-url-for-nodes.ts';
import { createNodeListener } from '../node-listener.ts';
import { signNodeServerCertificate } from './certificate.ts';
import type { NodeServiceDeps } from './method.ts';
import { createNodeService } from './service.ts';

/** Maximum request size in bytes: enough for the report of an account with 10,000 domains. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** Maximum request size in bytes without a certificate: Enroll needs at most 10 KiB. */
const MAX_ANONYMOUS_REQUEST_BYTES = 64 * 1024;
const STOP_GRACE_MS = 5_000;
const WINDOW_BYTES = 1024 * 1024;

const agentOptions: ServerOptions = {
  // Statistics of each call that nothing reads.
  'grpc.enable_channelz': 0,
  'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': 100,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
};
const anonymousOptions: ServerOptions = {
  'grpc.enable_channelz': 0,
  'grpc.max_receive_message_length': MAX_ANONYMOUS_REQUEST_BYTES,
  'grpc.max_concurrent_streams': 4,
  // MiB of memory that HTTP/2 uses for one connection: headers, frames and streams.
  'grpc-node.max_session_memory': 1,
};

export interface NodeServerDeps extends NodeServiceDeps {
  /** Names and addresses that agents connect to. The server's certificate contains them. */
  hosts: readonly string[];
  address: ListenAddress;
  limits: NodeConnectionLimits;
}

export interface NodeServer {
  /** Listens and returns the port. The kernel chooses it if the address has port 0. */
  start(): Promise<number>;
  /** Refuses new calls, lets calls in progress finish for up to 5 s, then cuts them off. */
  stop(): Promise<void>;
}

/**
 * The gRPC service for agents. Two servers with the same methods share one listener, because the limits of grpc-js
 * apply to a whole server. Connections with a node certificate go to one server, all others to the other.
 */
export async function createNodeServer(deps: NodeServerDeps): Promise<NodeServer> {
  const natsUrl = deps.natsUrl === null ? null : natsUrlForNodes(deps.natsUrl, deps.hosts);
  const service = createNodeService({ ...deps, natsUrl });
  const certificate = await signNodeServerCertificate(deps.keys.authority, deps.hosts);
  const agents = createServer(service, agentOptions);
  widenWindows(agents.server);
  const anonymous = createServer(service, anonymousOptions);
  const listener = createNodeListener({
    authority: deps.keys.authority,
    certificate,
    limits: deps.limits,
    serveAgent: (connection) => agents.injector.injectConnection(connection),
    serveAnonymous: (connection) => anonymous.injector.injectConnection(connection),
    log: deps.log,
  });
  return {
    start: () => listener.listen(deps.address),
    stop: async () => {
      certificate.stop();
      listener.stopAccepting();
      await Promise.all([agents, anonymous].map(({ server }) => stopServer(server)));
      listener.destroyAll();
    },
  };
}

/** Creates a server for connections whose TLS handshake is done. */
function createServer(
  service: ReturnType<typeof createNodeService>,
  options: ServerOptions,
): { server: Server; injector: ConnectionInjector } {
  const server = new Server(options);
  server.addService({ ...nodeServiceDefinition }, service);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return { server, injector };
}

/**
 * Gives each connection an HTTP/2 window of 1 MiB: with the default of 64 KiB an agent that is 20 ms away sends a
 * download with 1.7 MB/s. grpc-js has this option for clients only (grpc-node, pull request 3058), so its servers are
 * reached through a private field. Throws if a release of grpc-js has no such field.
 */
function widenWindows(server: Server): void {
  const { http2Servers } = server as unknown as { http2Servers?: Map<Http2Server, unknown> };
  if (http2Servers === undefined || http2Servers.size !== 1)
    throw new Error('grpc-js keeps its HTTP/2 servers in another place than it did.');
  for (const http2Server of http2Servers.keys())
    http2Server.on('session', (session) => {
      session.settings({ initialWindowSize: WINDOW_BYTES });
      session.setLocalWindowSize(WINDOW_BYTES);
    });
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, STOP_GRACE_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
