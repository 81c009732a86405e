import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connect, type Database, RATE_LIMIT_MAX } from '@innkeeper/db';
import { encodeJoinToken } from '@innkeeper/protocol/identity';
import { builtInAppTemplates, createSealer, noNameGuard } from '@innkeeper/services';
import { startSimulatedNode, startTestNats } from '@innkeeper/testkit';
import { type DatabaseServer, freePort, requireProgram } from '@innkeeper/testkit/machine';
import type { Kysely } from 'kysely';
import type { Caller } from './load.ts';
import { type MeasuredServer, startServer } from './processes.ts';
import { seed } from './seed.ts';

/** A control plane as in production, with accounts, a node that answers, and the floor beside it. */
export interface BenchControlPlane {
  accounts: number;
  db: Kysely<Database>;
  api: MeasuredServer;
  floor: MeasuredServer;
  /** The admins with their tokens. */
  callers: Caller[];
  /** Callers of endpoints without a token, by address. */
  strangers: Caller[];
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');

/** Starts a control plane with its own database in this server. The API is the bundle in dist/. */
export async function startBenchControlPlane(
  mariadb: DatabaseServer,
  logDir: string,
  accounts: number,
): Promise<BenchControlPlane> {
  await using parts = new AsyncDisposableStack();
  const databaseUrl = await createDatabase(mariadb, `bench_${accounts}`);
  const db = connect(databaseUrl);
  parts.defer(() => db.destroy());
  const nats = await startTestNats();
  parts.defer(() => nats.remove());
  const seeded = await seed(
    {
      db,
      actor: { userId: null, role: 'admin', tokenId: null, address: 'bench' },
      requestId: randomUUID(),
      now: () => new Date(),
      wakeNode: () => {},
      askNode: async () => undefined,
      refreshUsage: async () => false,
      sealer: createSealer(() => nats.keys.sealing),
      appTemplates: builtInAppTemplates,
      names: noNameGuard,
    },
    accounts,
  );

  const [port, grpcPort, metricsPort, floorPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const api = await startServer([join(ROOT, 'dist/innkeeper-api.mjs')], {
    port,
    logFile: join(logDir, `api-${accounts}.log`),
    env: {
      INNKEEPER_DATABASE_URL: databaseUrl,
      INNKEEPER_KEYS_DIR: nats.keysDir,
      INNKEEPER_HTTP_ADDRESS: `127.0.0.1:${port}`,
      INNKEEPER_GRPC_ADDRESS: `127.0.0.1:${grpcPort}`,
      INNKEEPER_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      INNKEEPER_NATS_URL: nats.url,
      INNKEEPER_PUBLIC_HOST: '127.0.0.1',
      // Lets the load come from many addresses.
      INNKEEPER_TRUSTED_PROXIES: '127.0.0.1',
      INNKEEPER_RATE_LIMIT_USER: String(RATE_LIMIT_MAX),
      INNKEEPER_RATE_LIMIT_HEALTH: String(RATE_LIMIT_MAX),
    },
  });
  parts.defer(() => api.stop());
  const floor = await startServer([join(import.meta.dirname, 'floor.ts'), String(floorPort)], {
    port: floorPort,
    logFile: join(logDir, `floor-${accounts}.log`),
    env: { DATABASE_URL: databaseUrl },
  });
  parts.defer(() => floor.stop());

  const control = `127.0.0.1:${grpcPort}`;
  const joinToken = encodeJoinToken({
    node: seeded.node.name,
    secret: seeded.node.secret,
    ca: nats.keys.authority.fingerprint,
    control,
  });
  const node = await startSimulatedNode({ control, joinToken });
  parts.defer(() => node.stop());

  const callers = seeded.tokens.map((token) => ({
    header: 'Authorization' as const,
    value: `Bearer ${token}`,
  }));
  const strangers = seeded.tokens.map((_, index) => ({
    header: 'X-Forwarded-For' as const,
    value: `198.51.100.${index + 1}`,
  }));
  const started = parts.move();
  return { accounts, db, api, floor, callers, strangers, stop: () => started.disposeAsync() };
}

async function createDatabase({ socketPath, url }: DatabaseServer, name: string): Promise<string> {
  const input = `create database ${name} character set utf8mb4; grant all privileges on ${name}.* to 'innkeeper'@'127.0.0.1';`;
  await requireProgram(['mariadb', '--no-defaults', `--socket=${socketPath}`], { input });
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
