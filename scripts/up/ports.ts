import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon, findPortOwner, freePort, type StateDir } from '@innkeeper/testkit/machine';

/** The ports of one panel. Agents keep the last two, so a panel keeps its ports for as long as its state lives. */
export interface PanelPorts {
  http: number;
  grpc: number;
  metrics: number;
  nats: number;
}

/** The ports that the panel has, or those given, and a free one for NATS; rejects when somebody else listens there. */
export async function choosePorts(
  state: StateDir,
  wanted: Omit<PanelPorts, 'nats'> | undefined,
): Promise<PanelPorts> {
  const file = join(state.path, 'ports.json');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const ports: PanelPorts = kept !== undefined ? JSON.parse(kept) : await freePorts();
  Object.assign(ports, wanted);
  const running = await findDaemon(join(state.path, 'pids'), 'api');
  if (running === undefined) {
    await requireFree(ports.http, 'the REST API');
    await requireFree(ports.grpc, 'the gRPC service of the agents');
    await requireFree(ports.metrics, "the API's metrics");
  }
  await writeFile(file, JSON.stringify(ports));
  return ports;
}

async function freePorts(): Promise<PanelPorts> {
  const [http, grpc, metrics, nats] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return { http, grpc, metrics, nats };
}

async function requireFree(port: number, purpose: string): Promise<void> {
  const owner = await findPortOwner(port);
  if (owner === undefined) return;
  throw new Error(
    `port ${port}, for ${purpose}, is in use by ${owner}. Stop that (./scripts/down, if it is another checkout's panel), or choose other ports with ./scripts/up --port N.`,
  );
}
