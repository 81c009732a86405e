import { tmpdir } from 'node:os';
import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import { encodeJoinToken } from '@innkeeper/protocol/identity';
import {
  addNode,
  builtInAppTemplates,
  createAdmin,
  createPackage,
  createReseller,
  createSealer,
  createToken,
  noNameGuard,
  type OperatorContext,
} from '@innkeeper/services';
import {
  cheapHashes,
  createTestDatabase,
  honestBehaviour,
  type SimulatedNode,
  startSimulatedNode,
  startTestNats,
  type TestNats,
} from '@innkeeper/testkit';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import { pathOf, type Reply, requireInContract } from '../ask.ts';

interface AskOptions {
  id?: number | string;
  /** Other path parameters. */
  parts?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Empty: no token. */
  token?: string;
  headers?: Record<string, string>;
}

/** One process of the control plane. Several share a database and NATS. */
export interface Instance {
  /**
   * Sends a request to an endpoint of the table, by default as the admin. Throws if the answer does not match the
   * contract.
   */
  ask(name: EndpointName, options?: AskOptions): Promise<Reply>;
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Stops like after SIGTERM. */
  stop(): Promise<void>;
}

interface CreatedAccount {
  id: number;
  username: string;
  synced: boolean;
}

/** The password of every account that a test creates without another one. */
export const CUSTOMER_PASSWORD = 'correct horse';
/** The password of `root-admin` and `acme`. */
export const STAFF_PASSWORD = 'correct horse battery';

const person = { username: '', name: 'A Customer', email: '', password: CUSTOMER_PASSWORD };

/** A control plane in this process, with its own database and NATS, and with one simulated node. */
export interface ControlPlaneRig {
  db: OperatorContext['db'];
  nats: TestNats;
  node: SimulatedNode;
  /** Fake DNS: TXT records by name. */
  txtRecords: Map<string, string[]>;
  /** Addresses of names in DNS. A name that is not here has none. */
  addresses: Map<string, string[]>;
  config: Config;
  /** Origin of the REST API: `http://127.0.0.1:<port>`. */
  origin: string;
  /** Tokens of an admin with every ability, and of a reseller. */
  adminToken: string;
  resellerToken: string;
  resellerId: number;
  /** Ids of packages: two to sell, assigned to the reseller, and one only for the admin. */
  packages: { small: number; large: number; adminOnly: number };
  /** Context like innctl's: no token, all rights. */
  operator: OperatorContext;
  /** Like `Instance.ask`, on the first instance, which has the nodes' sessions. */
  ask: Instance['ask'];
  /** Fields of a new account with the small package. `fields` replace some of them. */
  accountFields<Fields extends object>(fields?: Fields): typeof person & { package_id: number } & Fields;
  /** Creates an account with the large package and returns it as the API answers. Throws if the API refuses. */
  createAccount(fields?: object, token?: string): Promise<CreatedAccount>;
  addNode(name: string): Promise<SimulatedNode>;
  /** Starts another instance on the same database and NATS. It stops with the rig. */
  addInstance(overrides?: Partial<Config>): Promise<Instance>;
  /** Stops like after SIGTERM. */
  stopControlPlane(): Promise<void>;
  stop(): Promise<void>;
}

const MiB = 1024 * 1024;
const limits = {
  disk_mb: 1_000,
  bandwidth_mb: 10_000,
  cpu_percent: 100,
  ram_mb: 512,
  io_read_mbps: null,
  io_write_mbps: 50,
  iops: null,
  max_processes: 50,
  max_domains: 2,
  max_databases: 1,
  max_apps: 1,
  max_cron_jobs: 1,
};

/**
 * Starts a rig before the tests of a file and stops it after them. Its node is honest again after each test. `log`
 * receives the lines of the control plane's log, as JSON.
 */
export function useControlPlaneRig(...options: Parameters<typeof startControlPlaneRig>): ControlPlaneRig {
  const rig = {} as ControlPlaneRig;
  let stop = async () => {};
  beforeAll(async () => {
    const started = await startControlPlaneRig(...options);
    stop = started.stop;
    Object.assign(rig, started);
  });
  afterEach(() => void Object.assign(rig.node.behaviour, honestBehaviour));
  afterAll(() => stop());
  return rig;
}

/** `log` receives the lines of the control plane's log, as JSON. */
export async function startControlPlaneRig(
  overrides: Partial<Config> = {},
  log: { write(line: string): void } = process.stdout,
): Promise<ControlPlaneRig> {
  await using parts = new AsyncDisposableStack();
  const database = await createTestDatabase({ poolSize: 5 });
  parts.defer(() => database.drop());
  const nats = await startTestNats();
  parts.defer(() => nats.remove());
  const loopback = { host: '127.0.0.1', port: 0 };
  const config: Config = {
    databaseUrl: database.url,
    databasePoolSize: 10,
    keysDir: nats.keysDir,
    http: loopback,
    httpTls: undefined,
    isPlainAllowed: false,
    grpc: loopback,
    grpcOwnAddress: null,
    grpcLimits: { agents: 100, anonymous: 100, anonymousPerAddress: 50, anonymousTimeoutMs: 30_000 },
    metrics: loopback,
    natsUrl: nats.url,
    publicHosts: ['127.0.0.1'],
    publicUrl: 'https://panel.example.com',
    reservedDomains: [],
    trustedProxies: ['127.0.0.1'],
    rateLimits: { user: 0, health: 0, sso: 0 },
    logLevel: 'silent',
    applyTimeoutMs: 10_000,
    templatesDir: undefined,
    gitAllowedNetworks: [],
    smtpPorts: [25, 465, 587, 2525],
    uploads: { dir: tmpdir(), maxBytes: 512 * MiB, timeoutMs: 60_000, atOnce: 4, minBytesPerSecond: 65_536 },
    ...overrides,
  };
  const txtRecords = new Map<string, string[]>();
  const addresses = new Map<string, string[]>();
  const dns = {
    resolveTxt: async (name: string) => txtRecords.get(name) ?? [],
    resolveAddresses: async (name: string) => addresses.get(name) ?? [],
  };
  const replaced = { dns, passwordHashes: cheapHashes };
  const controlPlane = await startControlPlane(config, pino({ level: config.logLevel }, log), replaced);
  parts.defer(() => controlPlane.stop());

  const operator: OperatorContext = {
    db: database.db,
    actor: { userId: null, role: 'admin', tokenId: null, address: 'innctl' },
    requestId: 'test',
    now: () => new Date(),
    wakeNode: () => {},
    askNode: async () => undefined,
    refreshUsage: async () => false,
    sealer: createSealer(() => nats.keys.sealing),
    appTemplates: builtInAppTemplates,
    names: noNameGuard,
    passwordHashes: cheapHashes,
  };
  const records = await firstRecords(operator);
  const newNode = async (name: string) => {
    const node = await enrol(operator, controlPlane, nats, name);
    parts.defer(() => node.stop());
    return node;
  };
  const node = await newNode('web1');

  const asked =
    (of: ControlPlane): Instance['ask'] =>
    (name, options = {}) =>
      askOverHttp(of, name, { token: records.adminToken, ...options });
  const ask = asked(controlPlane);
  let serial = 0;
  const accountFields: ControlPlaneRig['accountFields'] = (fields = {} as never) => {
    serial += 1;
    const { username = `account${serial}` } = fields as { username?: string };
    const email = `${username}@example.com`;
    return { ...person, username, email, package_id: records.packages.small, ...fields } as never;
  };
  const createAccount: ControlPlaneRig['createAccount'] = async (fields, token = records.adminToken) => {
    const body = accountFields({ package_id: records.packages.large, ...fields });
    const reply = await ask('createAccount', { body, token });
    if (reply.status !== 201) throw new Error(`The account was refused: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const started = parts.move();
  return {
    db: database.db,
    nats,
    node,
    txtRecords,
    addresses,
    config,
    origin: originOf(controlPlane),
    operator,
    ...records,
    ask,
    accountFields,
    createAccount,
    addNode: async (name) => {
      const added = await enrol(operator, controlPlane, nats, name);
      started.defer(() => added.stop());
      return added;
    },
    addInstance: async (more = {}) => {
      const instance = await startControlPlane(
        { ...config, ...more },
        pino({ level: config.logLevel }),
        replaced,
      );
      started.defer(() => instance.stop());
      return { ask: asked(instance), origin: originOf(instance), stop: () => instance.stop() };
    },
    stopControlPlane: () => controlPlane.stop(),
    stop: () => started.disposeAsync(),
  };
}

function originOf({ http }: ControlPlane): string {
  return `http://127.0.0.1:${http.port}`;
}

async function firstRecords(operator: OperatorContext) {
  const password = STAFF_PASSWORD;
  await createAdmin(operator, { username: 'root-admin', name: 'Admin', email: 'admin@panel.test', password });
  const reseller = await createReseller(operator, {
    username: 'acme',
    name: 'Acme',
    email: 'acme@panel.test',
    password,
  });
  const small = await createPackage(operator, { name: 'Small', ...limits, resellers: ['acme'] });
  const large = await createPackage(operator, {
    name: 'Large',
    ...limits,
    disk_mb: 5_000,
    max_domains: 5,
    terminal_access: true,
    resellers: ['acme'],
  });
  const adminOnly = await createPackage(operator, { name: 'Admin only', ...limits });
  await createPackage(operator, { name: 'Custom', ...limits, is_internal: true });
  const tokenOf = async (user: string) =>
    (await createToken(operator, { user, name: 'test', abilities: ['*'] })).plain_token;
  return {
    adminToken: await tokenOf('root-admin'),
    resellerToken: await tokenOf('acme'),
    resellerId: reseller.id,
    packages: { small: small.id, large: large.id, adminOnly: adminOnly.id },
  };
}

async function enrol(
  operator: OperatorContext,
  controlPlane: ControlPlane,
  nats: TestNats,
  name: string,
): Promise<SimulatedNode> {
  const { node, secret } = await addNode(operator, { name, address: '192.0.2.10' });
  const control = `127.0.0.1:${controlPlane.grpc.port}`;
  const joinToken = encodeJoinToken({
    node: node.name,
    secret,
    ca: nats.keys.authority.fingerprint,
    control,
  });
  return await startSimulatedNode({ control, joinToken });
}

async function askOverHttp(
  { http }: ControlPlane,
  name: EndpointName,
  { id, parts, query, body, token, headers }: AskOptions,
): Promise<Reply> {
  const endpoint: Endpoint = endpoints[name];
  const path = pathOf(endpoint, id, parts) + (query === undefined ? '' : `?${query}`);
  const response = await fetch(`http://127.0.0.1:${http.port}${API_PREFIX}${path}`, {
    method: endpoint.method,
    redirect: 'manual',
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const reply = {
    status: response.status,
    body: text === '' ? '' : JSON.parse(text),
    headers: response.headers,
  };
  requireInContract(endpoint, reply);
  return reply;
}
