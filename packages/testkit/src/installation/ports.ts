import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findDaemon } from '../processes/daemon.ts';
import { findPortOwner, freePort } from '../processes/port.ts';
import type { StateDir } from '../processes/state-dir.ts';

/**
 * The TCP ports of one installation. Agents store `grpc` and `nats`, so the ports stay the same while the state folder
 * exists.
 */
export interface InstallationPorts {
  http: number;
  grpc: number;
  metrics: number;
  nats: number;
}

const FILE = 'ports.json';

/**
 * Returns the installation's ports. A new installation gets the `wanted` ports, and free ones for the rest. Rejects if
 * `wanted` differs from existing ports, or if another process listens on a port.
 */
export async function choosePorts(
  state: StateDir,
  wanted: Partial<InstallationPorts> = {},
): Promise<InstallationPorts> {
  const kept = await findPorts(state);
  const ports: InstallationPorts = { ...(kept ?? (await freePorts())), ...wanted };
  if (kept !== undefined && !isDeepStrictEqual(ports, kept)) {
    throw new Error(
      `agents know this installation by its ports (${kept.http}, ${kept.grpc}), so it keeps them: ./scripts/down --purge removes it, and then it can have others`,
    );
  }
  const pids = join(state.path, 'pids');
  if ((await findDaemon(pids, 'api')) === undefined) {
    await requireFree(ports.http, 'the REST API');
    await requireFree(ports.grpc, 'the service that agents call');
    await requireFree(ports.metrics, "the API's metrics");
  }
  if ((await findDaemon(pids, 'nats')) === undefined) await requireFree(ports.nats, 'NATS');
  await writeFile(join(state.path, FILE), JSON.stringify(ports));
  return ports;
}

/** Returns the existing ports of a state folder's installation. */
export async function findPorts(state: StateDir): Promise<InstallationPorts | undefined> {
  const kept = await readFile(join(state.path, FILE), 'utf8').catch(() => undefined);
  return kept === undefined ? undefined : (JSON.parse(kept) as InstallationPorts);
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
