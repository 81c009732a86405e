import { experimental, Server } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES, nodeServiceDefinition } from '@innkeeper/protocol/wire';
import { NodeServerCertificate } from './grpc-certificate.ts';
import type { NodeServiceDeps } from './grpc-method.ts';
import { createNodeService } from './grpc-service.ts';
import { natsUrlForNodes } from './nats-url-for-nodes.ts';

/** Bytes of a request: the report of an account with 10,000 domains. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const STOP_GRACE_MS = 5_000;

export interface NodeServerDeps extends NodeServiceDeps {
  /** Names and addresses that agents connect to; they stand in the server's certificate. */
  hosts: readonly string[];
  address: { host: string; port: number };
}

export interface NodeServer {
  /** Listens; returns the port, which is chosen where the address says 0. */
  start(): Promise<number>;
  /** Refuses new calls, lets those under way end for 5 s, then cuts them off. */
  stop(): Promise<void>;
}

/** The gRPC service for agents. */
export async function createNodeServer(deps: NodeServerDeps): Promise<NodeServer> {
  const certificate = await NodeServerCertificate.sign(deps.keys.authority, deps.hosts);
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': 100,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  const natsUrl = deps.natsUrl === null ? null : natsUrlForNodes(deps.natsUrl, deps.hosts);
  server.addService({ ...nodeServiceDefinition }, createNodeService({ ...deps, natsUrl }));
  // grpc-js names these two parameters the wrong way round; one provider for both is right either way.
  const credentials = experimental.createCertificateProviderServerCredentials(
    certificate,
    certificate,
    false,
  );
  const { host, port } = deps.address;
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.bindAsync(target, credentials, (error, boundPort) => {
          if (error === null) resolve(boundPort);
          else
            reject(
              new Error(`The node service cannot listen on ${target}: ${error.message}`, { cause: error }),
            );
        });
      }),
    stop: async () => {
      certificate.stop();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, STOP_GRACE_MS);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
