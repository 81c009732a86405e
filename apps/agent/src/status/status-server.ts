import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AgentStatus } from './agent-status.ts';
import type { Metrics } from './metrics.ts';

export interface StatusServer {
  /** The port it listens on. */
  port: number;
  close(): Promise<void>;
}

export interface StatusServerDeps {
  metrics: Metrics;
  /** Called for each request; also brings the gauges up to date. */
  status: () => AgentStatus;
}

/**
 * Serves /metrics, /healthz, /readyz and /status on a loopback address. It only answers questions:
 * tenants can reach the loopback too. Rejects when the address cannot be listened on.
 */
export async function startStatusServer(address: string, deps: StatusServerDeps): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const json = (status: number, body: unknown) =>
      answer(status, 'application/json', `${JSON.stringify(body)}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json(405, { message: 'Only GET and HEAD are answered.' });
    const status = deps.status();
    switch (request.url) {
      case '/healthz':
        return json(200, { status: 'ok' });
      case '/readyz':
        return json(status.ready ? 200 : 503, { ready: status.ready, reasons: status.reasons });
      case '/status':
        return json(200, status);
      case '/metrics':
        return void deps.metrics.registry.metrics().then(
          (text) => answer(200, deps.metrics.registry.contentType, text),
          () => json(500, { message: 'The metrics could not be collected.' }),
        );
      default:
        return json(404, { message: 'Known paths: /healthz, /readyz, /status, /metrics.' });
    }
  });
  server.requestTimeout = 5_000;
  server.maxConnections = 64;
  const separator = address.lastIndexOf(':');
  server.listen({
    host: address.slice(0, separator).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(separator + 1)),
  });
  await once(server, 'listening');
  return { port: portOf(server), close: () => closeServer(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
