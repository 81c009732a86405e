import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { ListenAddress } from '../../config.ts';
import { listen } from './server.ts';

/** Serves `/metrics` to Prometheus without a token: the address is loopback, or the operator chose it. */
export async function startMetrics(registry: Registry, address: ListenAddress): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  });
  await listen(server, address);
  return server;
}
