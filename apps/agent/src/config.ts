import {
  ConfigError,
  canonicalAddress,
  readAllowlist,
  readEnvironment,
  wholeNumber,
} from '@innkeeper/domain';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };

/** The release of the agent. */
export const VERSION: string = manifest.version;

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

const absolutePath = z
  .string()
  .regex(/^\/[^\0\n]*$/, 'must be an absolute path')
  .transform((value) => (value === '/' ? value : value.replace(/\/+$/, '')));

/** `host:port`. An IPv6 address is written in brackets. */
export const addressSchema = z
  .string()
  .regex(/^(?:[a-zA-Z0-9.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}$/, 'must be HOST:PORT')
  .refine((value) => {
    const port = Number(value.slice(value.lastIndexOf(':') + 1));
    return port >= 1 && port <= 65_535;
  }, 'must have a port from 1 to 65535');

const milliseconds = (min: number, max: number) => wholeNumber({ min, max, unit: 'milliseconds' });

const registryUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be the URL of an npm registry',
  )
  // It appears in messages that customers read.
  .refine(
    (value) => !URL.canParse(value) || new URL(value).username === '',
    'must not hold a user or password',
  )
  .transform((value) => (value.endsWith('/') ? value : `${value}/`));
const wordpressSource = z
  .string()
  .refine(
    (value) => /^\/[^\0]+$/.test(value) || /^https:\/\/[^\s@]+$/.test(value),
    'must be the absolute path of a folder, or the https URL of a tar.gz without a user or password',
  );
/** IP ranges in canonical form, separated by commas or white space. */
const networks = z.string().transform((value, context) => {
  const { entries, refused } = readAllowlist(value);
  if (entries !== undefined) return entries;
  context.addIssue({ code: 'custom', message: refused.join(' ') });
  return z.NEVER;
});

const environmentSchema = z.object({
  INNKEEPER_CONTROL: addressSchema.optional(),
  INNKEEPER_STATE_DIR: absolutePath.default('/var/lib/innkeeper/agent'),
  INNKEEPER_STATUS_ADDRESS: addressSchema
    .refine(
      (value) => /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/.test(value),
      'must be an address of the loopback',
    )
    .default('127.0.0.1:9465'),
  INNKEEPER_STATUS_SOCKET: absolutePath.default('/run/innkeeper/agent.sock'),
  INNKEEPER_METRICS_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'must be the name of a user of this server')
    .optional(),
  INNKEEPER_METRICS_ADDRESS: addressSchema.optional(),
  INNKEEPER_METRICS_CA_FILE: absolutePath.optional(),
  INNKEEPER_METRICS_CERT_FILE: absolutePath.optional(),
  INNKEEPER_METRICS_KEY_FILE: absolutePath.optional(),
  INNKEEPER_POLL_INTERVAL_MS: milliseconds(100, 3_600_000).optional(),
  INNKEEPER_DRIFT_INTERVAL_MS: milliseconds(1_000, 86_400_000).default(300_000),
  INNKEEPER_PARALLEL_ACCOUNTS: wholeNumber({ min: 1, max: 256 }).default(8),
  INNKEEPER_PHP_IDLE_MS: milliseconds(1_000, 86_400_000).default(300_000),
  /** Source of the Node.js versions and of the packages that apps are built from. */
  INNKEEPER_NPM_REGISTRY: registryUrl.default('https://registry.npmjs.org/'),
  INNKEEPER_NODE_VERSIONS: z
    .string()
    .regex(/^\d{2}(?: \d{2})*$/, 'must be major versions with blanks between them')
    .default('18 20 22 24'),
  INNKEEPER_BUILD_TIMEOUT_S: wholeNumber({ min: 1, max: 86_400, unit: 'seconds' }).default(900),
  INNKEEPER_GIT_ALLOWED_NETWORKS: networks.default([]),
  INNKEEPER_ACME_DIRECTORY: z
    .url({ protocol: /^https$/, error: 'must be an https URL' })
    .default(LETS_ENCRYPT),
  INNKEEPER_ACME_CA_FILE: absolutePath.optional(),
  INNKEEPER_ACME_ORDERS_OF_NAME_A_DAY: wholeNumber({ min: 1, max: 1_000 }).default(5),
  INNKEEPER_PUBLIC_ADDRESSES: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((part) => part !== ''))
    .refine(
      (parts) => parts.length <= 64 && parts.every((part) => canonicalAddress(part) !== undefined),
      'must be up to 64 addresses, separated by commas',
    )
    .transform((parts) => parts.flatMap((part) => canonicalAddress(part) ?? []))
    .default([]),
  INNKEEPER_TRAFFIC_READ_MS: milliseconds(100, 60_000).default(5_000),
  INNKEEPER_TRAFFIC_LOG_MB: wholeNumber({ min: 1, max: 10_000, unit: 'MiB' }).default(64),
  INNKEEPER_WORDPRESS_SOURCE: wordpressSource.default('https://wordpress.org/latest.tar.gz'),
  INNKEEPER_WORDPRESS_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  INNKEEPER_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Set by systemd: the socket for sd_notify messages, and the watchdog timeout. */
  NOTIFY_SOCKET: z.string().optional(),
  WATCHDOG_USEC: z.string().regex(/^\d+$/).transform(Number).optional(),
});

/** Returns the environment as typed configuration. Throws ConfigError. This file is the only reader of process.env. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const env = readEnvironment(environmentSchema, environment);
  return {
    control: env.INNKEEPER_CONTROL,
    stateDir: env.INNKEEPER_STATE_DIR,
    statusAddress: env.INNKEEPER_STATUS_ADDRESS,
    statusSocket: env.INNKEEPER_STATUS_SOCKET,
    metricsUser: env.INNKEEPER_METRICS_USER,
    remoteMetrics: remoteMetricsOf(env),
    pollIntervalMs: env.INNKEEPER_POLL_INTERVAL_MS,
    driftIntervalMs: env.INNKEEPER_DRIFT_INTERVAL_MS,
    parallelAccounts: env.INNKEEPER_PARALLEL_ACCOUNTS,
    phpIdleMs: env.INNKEEPER_PHP_IDLE_MS,
    npmRegistry: env.INNKEEPER_NPM_REGISTRY,
    nodejsVersions: [...new Set(env.INNKEEPER_NODE_VERSIONS.split(' '))],
    buildTimeoutS: env.INNKEEPER_BUILD_TIMEOUT_S,
    gitAllowedNetworks: env.INNKEEPER_GIT_ALLOWED_NETWORKS,
    acmeDirectory: env.INNKEEPER_ACME_DIRECTORY,
    acmeCaFile: env.INNKEEPER_ACME_CA_FILE,
    acmeOrdersOfNameADay: env.INNKEEPER_ACME_ORDERS_OF_NAME_A_DAY,
    publicAddresses: env.INNKEEPER_PUBLIC_ADDRESSES,
    trafficReadMs: env.INNKEEPER_TRAFFIC_READ_MS,
    trafficLogMb: env.INNKEEPER_TRAFFIC_LOG_MB,
    wordpress: {
      from: env.INNKEEPER_WORDPRESS_SOURCE,
      sha256: env.INNKEEPER_WORDPRESS_SHA256 ?? null,
    },
    logLevel: env.INNKEEPER_LOG_LEVEL,
    notifySocket: env.NOTIFY_SOCKET,
    watchdogMs: env.WATCHDOG_USEC === undefined ? undefined : env.WATCHDOG_USEC / 1_000,
  };
}

/** Requires all four settings or none. */
function remoteMetricsOf(env: z.output<typeof environmentSchema>): Config['remoteMetrics'] {
  const address = env.INNKEEPER_METRICS_ADDRESS;
  const [caFile, certFile, keyFile] = [
    env.INNKEEPER_METRICS_CA_FILE,
    env.INNKEEPER_METRICS_CERT_FILE,
    env.INNKEEPER_METRICS_KEY_FILE,
  ];
  const given = [address, caFile, certFile, keyFile].filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  if (address === undefined || caFile === undefined || certFile === undefined || keyFile === undefined)
    throw new ConfigError(
      'INNKEEPER_METRICS_ADDRESS needs INNKEEPER_METRICS_CA_FILE, INNKEEPER_METRICS_CERT_FILE and INNKEEPER_METRICS_KEY_FILE, and they need it.',
    );
  return { address, caFile, certFile, keyFile };
}

export interface Config {
  /** Address of the control plane for agents, `host:port`. Undefined before enrolment is configured. */
  control: string | undefined;
  /** Folder that contains identity/ and ledger/. */
  stateDir: string;
  /** Loopback address of metrics and health checks, `host:port`. */
  statusAddress: string;
  /** Unix socket on which the agent answers its own tools. */
  statusSocket: string;
  /** User that may read metrics on the loopback address, besides root. */
  metricsUser: string | undefined;
  /** Address of metrics over TLS, for remote clients that authenticate with a client certificate. Files are PEM. */
  remoteMetrics: { address: string; caFile: string; certFile: string; keyFile: string } | undefined;
  /** Overrides the control plane's poll interval, if set. */
  pollIntervalMs: number | undefined;
  driftIntervalMs: number;
  /** Maximum number of accounts changed concurrently. Eight times as many are observed concurrently. */
  parallelAccounts: number;
  /** A PHP master is stopped after this time without requests. */
  phpIdleMs: number;
  /** Ends with a slash. */
  npmRegistry: string;
  /** Major versions of Node.js that apps can have. */
  nodejsVersions: string[];
  /** Timeout for preparing a release. */
  buildTimeoutS: number;
  /** Non-public IP ranges that Git may connect to. */
  gitAllowedNetworks: string[];
  /** Directory URL of the ACME server that issues certificates. */
  acmeDirectory: string;
  /** PEM file of authorities trusted for the ACME server, in addition to the public ones. */
  acmeCaFile: string | undefined;
  /** Maximum number of first certificate orders for one name within 24 hours. */
  acmeOrdersOfNameADay: number;
  /** Public addresses that reach this server but are not on its interfaces. Canonical form. */
  publicAddresses: string[];
  /** Interval at which nginx's log of the sites is read. */
  trafficReadMs: number;
  /** Size at which a log is rotated. */
  trafficLogMb: number;
  /** Source of WordPress: a folder, or a URL with the SHA-256 of its content. */
  wordpress: { from: string; sha256: string | null };
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** Socket for sd_notify messages. Undefined when no supervisor listens. */
  notifySocket: string | undefined;
  /** Timeout of systemd's watchdog, in ms. */
  watchdogMs: number | undefined;
}
