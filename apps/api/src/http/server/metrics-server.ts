import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import type { ListenAddress } from '../../config.ts';
import { listen } from './server.ts';

/**
 * Serves `/metrics` to Prometheus without a token: the address is loopback, or the operator chose it. Each of `sources`
 * returns a part of the text.
 */
export async function startMetrics(
  sources: readonly (() => Promise<string>)[],
  address: ListenAddress,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const parts = await Promise.all(sources.map((source) => source()));
    response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(parts.join(''));
  });
  await listen(server, address);
  return server;
}
