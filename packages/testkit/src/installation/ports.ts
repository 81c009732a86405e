import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon } from '../daemon.ts';
import { findPortOwner, freePort } from '../port.ts';
import type { StateDir } from '../state-dir.ts';

/** The TCP ports of one installation. Agents keep `grpc` and `nats`, so they stay while the state folder lives. */
export interface InstallationPorts {
  http: number;
  grpc: number;
  metrics: number;
  nats: number;
}

/** Those that the installation has, or `wanted`, or free ones. Rejects when another process listens on one. */
export async function choosePorts(
  state: StateDir,
  wanted: Partial<InstallationPorts> = {},
): Promise<InstallationPorts> {
  const file = join(state.path, 'ports.json');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const ports: InstallationPorts = {
    ...(kept === undefined ? await freePorts() : (JSON.parse(kept) as InstallationPorts)),
    ...wanted,
  };
  const pids = join(state.path, 'pids');
  if ((await findDaemon(pids, 'api')) === undefined) {
    await requireFree(ports.http, 'the REST API');
    await requireFree(ports.grpc, 'the service that agents call');
    await requireFree(ports.metrics, "the API's metrics");
  }
  if ((await findDaemon(pids, 'nats')) === undefined) await requireFree(ports.nats, 'NATS');
  await writeFile(file, JSON.stringify(ports));
  return ports;
}

async function freePorts(): Promise<InstallationPorts> {
  const [http, grpc, metrics, nats] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return { http, grpc, metrics, nats };
}

async function requireFree(port: number, purpose: string): Promise<void> {
  const owner = await findPortOwner(port);
  if (owner === undefined) return;
  throw new Error(
    `port ${port}, for ${purpose}, is in use by ${owner}: stop that (./scripts/down, if it is another checkout's), or choose other ports`,
  );
}
