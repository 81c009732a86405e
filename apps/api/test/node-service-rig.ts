import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRevokedNatsUsers } from '@innkeeper/db';
import type { ObservedMessage } from '@innkeeper/protocol';
import { encodeJoinToken } from '@innkeeper/protocol/identity';
import { type ControlPlaneKeys, readKeyFolder, readNatsRevoker } from '@innkeeper/protocol/keys';
import {
  addNode,
  builtInAppTemplates,
  createSealer,
  noNameGuard,
  type OperatorContext,
  renewJoinToken,
} from '@innkeeper/services';
import {
  createTestDatabase,
  makeTestKeys,
  type SimulatedNode,
  type SimulatedNodeOptions,
  startSimulatedNode,
  type TestDatabase,
} from '@innkeeper/testkit';
import type { NodeConnectionLimits } from '../src/config.ts';
import { createNodeServer, type NodeServer } from '../src/nodes/grpc/server.ts';
import { createNatsRevocations } from '../src/nodes/nats-revocations.ts';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}

/** The node service on a real database, in this process, with nodes that call it. */
export interface NodeServiceRig {
  database: TestDatabase;
  keys: ControlPlaneKeys;
  /** `127.0.0.1:port`. It stays the same after a restart. */
  control: string;
  ctx: OperatorContext;
  observed: ObservedMessage[];
  logLines: LogLine[];
  /** Adds a node's row, and creates a join token with the CA of this control plane. */
  addNode(name?: string): Promise<{ id: number; name: string; joinToken: string }>;
  renewJoinToken(name: string): Promise<string>;
  /** Runs the control plane's action after NATS is connected. */
  tellNatsOfRevocations(): void;
  /** Starts an enrolled node with a session. It is stopped at the end. */
  startNode(options?: Partial<SimulatedNodeOptions>): Promise<SimulatedNode>;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  stop(): Promise<void>;
}

const LIMITS: NodeConnectionLimits = {
  agents: 100,
  anonymous: 100,
  anonymousPerAddress: 50,
  anonymousTimeoutMs: 30_000,
};

export async function startNodeServiceRig(
  options: { natsUrl?: string; keysDir?: string; limits?: Partial<NodeConnectionLimits> } = {},
) {
  const dir = await mkdtemp(join(tmpdir(), 'innkeeper-nodes-'));
  if (options.keysDir === undefined) await makeTestKeys(dir, 4222);
  const keys = readKeyFolder(options.keysDir ?? dir);
  const database = await createTestDatabase();
  const observed: ObservedMessage[] = [];
  const logLines: LogLine[] = [];
  const log = (level: LogLine['level']) => (fields: object, message?: string) =>
    void logLines.push({ level, message: message ?? '', ...fields });

  const sealer = createSealer(() => keys.sealing);
  let port = 0;
  let serial = 0;
  let server: NodeServer | undefined;
  const nodes: SimulatedNode[] = [];
  const natsUrl = options.natsUrl ?? null;
  const revocations =
    natsUrl === null
      ? undefined
      : createNatsRevocations({
          find: () => findRevokedNatsUsers(database.db),
          revoke: readNatsRevoker(options.keysDir ?? dir),
          url: natsUrl,
          logger: { warn: log('warn'), info: log('info') } as never,
        });
  const startServer = async () => {
    server = await createNodeServer({
      db: database.db,
      keys,
      sealer,
      natsUrl: options.natsUrl ?? null,
      intervals: { heartbeat_interval_ms: 1_000, poll_interval_ms: 200 },
      onObserved: (message) => observed.push(message),
      wakeNode: () => {},
      channels: {
        claim: () => {
          throw new Error('no channel is asked for here');
        },
      },
      onIdentityEnded: () => revocations?.tell(),
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      hosts: ['127.0.0.1'],
      address: { host: '127.0.0.1', port },
      limits: { ...LIMITS, ...options.limits },
    });
    port = await server.start();
  };
  await startServer();

  const control = `127.0.0.1:${port}`;
  const ctx: OperatorContext = {
    db: database.db,
    actor: { userId: null, role: 'admin', tokenId: null, address: 'innctl' },
    requestId: 'test',
    now: () => new Date(),
    wakeNode: () => {},
    askNode: async () => undefined,
    refreshUsage: async () => false,
    sealer,
    appTemplates: builtInAppTemplates,
    names: noNameGuard,
  };
  const seal = (node: string, secret: string) =>
    encodeJoinToken({ node, secret, ca: keys.authority.fingerprint, control });

  const rig: NodeServiceRig = {
    database,
    keys,
    control,
    ctx,
    observed,
    logLines,
    addNode: async (name = `web${++serial}`) => {
      const { node, secret } = await addNode(ctx, { name, address: '10.0.0.1' });
      return { id: node.id, name, joinToken: seal(name, secret) };
    },
    renewJoinToken: async (name) => seal(name, (await renewJoinToken(ctx, { node: name })).secret),
    tellNatsOfRevocations: () => revocations?.tell(),
    startNode: async (options = {}) => {
      const joinToken = options.identity === undefined ? (await rig.addNode()).joinToken : undefined;
      const node = await startSimulatedNode({
        control,
        ...(joinToken === undefined ? {} : { joinToken }),
        ...options,
      });
      nodes.push(node);
      return node;
    },
    stopServer: async () => {
      await server?.stop();
      server = undefined;
    },
    startServer,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await server?.stop();
      await revocations?.stop();
      await database.drop();
      await rm(dir, { recursive: true });
    },
  };
  return rig;
}
