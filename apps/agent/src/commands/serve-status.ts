import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, isAccountUid } from '@innkeeper/domain';
import type { Config } from '../config.ts';
import { type MetricsTls, startLocalMetrics, startRemoteMetrics } from '../status/metrics-server.ts';
import { type StatusDeps, startStatusServer } from '../status/status-server.ts';

export interface ServedStatus {
  /** Reads the TLS files of the metrics again. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves every status endpoint of the agent: the socket of its own tools, metrics on the loopback address, and metrics
 * over TLS. Throws ConfigError for invalid settings, and the error that prevents listening on an address.
 */
export async function serveStatus(config: Config, deps: StatusDeps): Promise<ServedStatus> {
  const { remoteMetrics } = config;
  const readers = new Set([0, ...(await uidOfReader(config))]);
  const tls = remoteMetrics && (await readTls(remoteMetrics));
  // First: a second agent on this server fails here.
  const socket = await startStatusServer(config.statusSocket, deps);
  const local = await startLocalMetrics(config.statusAddress, { ...deps, readers });
  const remote = remoteMetrics && tls && (await startRemoteMetrics(remoteMetrics.address, { ...deps, tls }));
  return {
    renew: async () => {
      if (remoteMetrics !== undefined) remote?.renew(await readTls(remoteMetrics));
    },
    close: async () => {
      await Promise.all([socket.close(), local.close(), remote?.close()]);
    },
  };
}

async function uidOfReader({ metricsUser }: Config): Promise<number[]> {
  if (metricsUser === undefined) return [];
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const uid = Number(lines.find(([name]) => name === metricsUser)?.[2]);
  if (!Number.isSafeInteger(uid))
    throw new ConfigError(
      `INNKEEPER_METRICS_USER must be a user of this server. There is no user ${metricsUser}.`,
    );
  if (isAccountUid(uid))
    throw new ConfigError(
      `INNKEEPER_METRICS_USER must not be a hosting account, but ${metricsUser} has a uid of one.`,
    );
  return [uid];
}

async function readTls(files: NonNullable<Config['remoteMetrics']>): Promise<MetricsTls> {
  try {
    const [ca, cert, key] = await Promise.all(
      [files.caFile, files.certFile, files.keyFile].map((file) => readFile(file, 'utf8')),
    );
    // Throws if it is not a certificate.
    for (const pem of [ca!, cert!]) new X509Certificate(pem);
    return { ca: ca!, cert: cert!, key: key! };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`INNKEEPER_METRICS_ADDRESS needs readable files in PEM: ${message}`);
  }
}
