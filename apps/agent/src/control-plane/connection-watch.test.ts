import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { createNodeServiceClient, type NodeServiceClient } from '@innkeeper/protocol/wire';
import { afterEach, expect, it } from 'vitest';
import { watchConnection } from './connection-watch.ts';

let server: Server | undefined;
let client: NodeServiceClient | undefined;
afterEach(() => {
  client?.close();
  server?.forceShutdown();
});

async function listen(port: number): Promise<number> {
  server = new Server();
  return new Promise((resolve, reject) =>
    server?.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
}

it('reports each new connection without waiting for a call, until it is stopped', {
  timeout: 30_000,
}, async () => {
  const port = await listen(0);
  client = createNodeServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  let connections = 0;
  const stop = watchConnection(client.channel, () => {
    connections += 1;
  });
  await expect.poll(() => connections, { timeout: 10_000 }).toBe(1);
  server?.forceShutdown();
  await listen(port);
  await expect.poll(() => connections, { timeout: 10_000 }).toBe(2);
  stop();
  server?.forceShutdown();
  await listen(port);
  await new Promise<void>((resolve, reject) =>
    client?.channel.watchConnectivityState(
      client.channel.getConnectivityState(true),
      Date.now() + 10_000,
      (error) => (error ? reject(error) : resolve()),
    ),
  );
  expect(connections).toBe(2);
});
