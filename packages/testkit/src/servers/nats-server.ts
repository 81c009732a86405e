import { connect } from 'node:net';
import { join } from 'node:path';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { unprivileged } from '../processes/unprivileged.ts';
import { waitUntil } from '../processes/wait-until.ts';

export interface NatsServerOptions {
  /** The server's configuration: TLS, operator, resolver. `innctl init` writes one. */
  configFile: string;
  /** Listen address. Overrides the configuration. */
  address: string;
  port: number;
  /** The system user that runs the server, without capabilities. It must be able to read the configuration. */
  user: string;
}

export interface NatsServer {
  /** `tls://address:port` */
  url: string;
  stop(): Promise<void>;
}

const NAME = 'nats';

/**
 * Starts the state folder's NATS server. Resolves when it accepts connections. A second call returns the running
 * server. The server runs until `stop` or `stopNats`, also after this process has ended.
 */
export async function startNats(state: StateDir, options: NatsServerOptions): Promise<NatsServer> {
  const { address, port } = options;
  if ((await findDaemon(recordDir(state), NAME)) === undefined) {
    const server = ['/usr/sbin/nats-server', '-c', options.configFile, '-a', address, '-p', String(port)];
    await startDaemon({
      recordDir: recordDir(state),
      name: NAME,
      logFile: join(state.path, 'log/nats.log'),
      argv: unprivileged(options.user, server),
    });
  }
  await waitUntil(
    `NATS on ${address}:${port} (its log: ${state.dir}/log/nats.log)`,
    async () => {
      if ((await findDaemon(recordDir(state), NAME)) === undefined) throw new Error('it ended at once');
      return await accepts(address, port);
    },
    { timeoutMs: 15_000 },
  );
  return { url: `tls://${address}:${port}`, stop: () => stopNats(state) };
}

/** Stops the state folder's NATS server, if it runs. */
export async function stopNats(state: StateDir): Promise<void> {
  await stopDaemon(recordDir(state), NAME);
}

function recordDir(state: StateDir): string {
  return join(state.path, 'pids');
}

async function accepts(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
