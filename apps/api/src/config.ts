import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { type RateLimitName, rateLimits } from '@innkeeper/contract';
import { RATE_LIMIT_MAX, withPasswordFile } from '@innkeeper/db';
import {
  ARCHIVE_HIGHEST_LIMIT_BYTES,
  ARCHIVE_MAX_BYTES,
  ConfigError,
  canonicalRange,
  readDomainName,
  readEnvironment,
  wholeNumber,
} from '@innkeeper/domain';
import { z } from 'zod';

export interface ListenAddress {
  host: string;
  port: number;
}

export interface Config {
  /** Database URL with its password. */
  databaseUrl: string;
  databasePoolSize: number;
  keysDir: string;
  http: ListenAddress;
  /** PEM files. Undefined: plain HTTP. */
  httpTls: { certFile: string; keyFile: string } | undefined;
  /** True if plain HTTP is served on an address that is not loopback, because the operator allowed it. */
  isPlainAllowed: boolean;
  grpc: ListenAddress;
  /**
   * `host:port` under which agents reach this very instance, for live channels. Null: there is one instance, which they
   * reach under their usual address.
   */
  grpcOwnAddress: string | null;
  grpcLimits: NodeConnectionLimits;
  metrics: ListenAddress;
  natsUrl: string;
  /** Names and addresses under which nodes reach this control plane. */
  publicHosts: readonly string[];
  /** Where browsers reach the panel: scheme, host and port, without a path. */
  publicUrl: string;
  /**
   * Domains that no customer may add. The same holds for their parent domains and subdomains, and for the names of the
   * panel and of nodes.
   */
  reservedDomains: readonly string[];
  /** Addresses and CIDR ranges of trusted proxies: X-Forwarded-For and X-Forwarded-Proto count only from these. */
  trustedProxies: readonly string[];
  /** Requests per minute. 0: not limited. */
  rateLimits: Readonly<Record<RateLimitName, number>>;
  logLevel: string;
  /** How long a write waits for its node, in ms. */
  applyTimeoutMs: number;
  /** Folder with the operator's app templates. Undefined: only the built-in ones. */
  templatesDir: string | undefined;
  /** Address ranges that Git repositories may use although they are not public. */
  gitAllowedNetworks: readonly string[];
  uploads: UploadConfig;
  /** Ports of mail servers that admins may set. */
  smtpPorts: readonly number[];
}

export interface UploadConfig {
  /** Folder for archives while they are received. */
  dir: string;
  /** Maximum size of one archive. */
  maxBytes: number;
  /** How long one archive may take to arrive. */
  timeoutMs: number;
  /** How many archives one instance receives at the same time, at most one per account. */
  atOnce: number;
  /** Minimum average rate of an upload after the first 10 s. 0: no minimum. */
  minBytesPerSecond: number;
}

/** Limits of open connections to the node service. */
export interface NodeConnectionLimits {
  /** Maximum number of connections that presented a node certificate. */
  agents: number;
  /** Maximum number of connections that did not present one, or have not finished the TLS handshake. */
  anonymous: number;
  /** Maximum number of such connections from one address. */
  anonymousPerAddress: number;
  /** How long a connection without a certificate may last, including its handshake and its calls. */
  anonymousTimeoutMs: number;
}

const listenAddress = () =>
  z.string().transform((text, ctx): ListenAddress => {
    const parts = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text);
    const host = parts?.[1] ?? parts?.[2];
    const port = Number(parts?.[3]);
    if (host !== undefined && port <= 65_535) return { host, port };
    ctx.addIssue('must be ADDRESS:PORT, an IPv6 address in brackets');
    return z.NEVER;
  });

const list = (rule: string, accepts: (item: string) => boolean, standard = '') =>
  z
    .string()
    .default(standard)
    .transform((text, ctx): string[] => {
      const items = text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
      for (const item of items) {
        if (!accepts(item)) ctx.addIssue(`must be ${rule}, separated by commas; "${item}" is not`);
      }
      return items;
    });

const isHost = (text: string) => isIP(text) !== 0 || /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
const isOrigin = (text: string) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text);
const isDomain = (text: string) => readDomainName(text) !== undefined;
const isRange = (text: string) => canonicalRange(text) !== undefined;

const isPort = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

const requestsAMinute = (name: RateLimitName) =>
  wholeNumber({ min: 0, max: RATE_LIMIT_MAX }).default(rateLimits[name].requests);

const environment = z.object({
  INNKEEPER_DATABASE_URL: z
    .string('must be set: mysql://user:password@host:port/database')
    .refine(
      (url) => URL.canParse(url) && new URL(url).protocol === 'mysql:',
      'must look like mysql://user:password@host:port/database',
    ),
  INNKEEPER_DATABASE_PASSWORD_FILE: z.string().optional(),
  INNKEEPER_DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 500 }).default(10),
  INNKEEPER_KEYS_DIR: z.string('must be set: the folder that "innctl init" made'),
  INNKEEPER_HTTP_ADDRESS: listenAddress().optional(),
  INNKEEPER_HTTP_PLAIN: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  INNKEEPER_HTTP_TLS_CERT: z.string().optional(),
  INNKEEPER_HTTP_TLS_KEY: z.string().optional(),
  INNKEEPER_GRPC_ADDRESS: listenAddress().prefault('0.0.0.0:8444'),
  INNKEEPER_GRPC_OWN_ADDRESS: listenAddress().optional(),
  INNKEEPER_GRPC_AGENT_CONNECTIONS: wholeNumber({ min: 16, max: 50_000 }).default(4_096),
  INNKEEPER_GRPC_ANONYMOUS_CONNECTIONS: wholeNumber({ min: 16, max: 10_000 }).default(256),
  INNKEEPER_GRPC_ANONYMOUS_PER_ADDRESS: wholeNumber({ min: 4, max: 10_000 }).default(32),
  INNKEEPER_GRPC_ANONYMOUS_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 600_000 }).default(30_000),
  INNKEEPER_METRICS_ADDRESS: listenAddress().prefault('127.0.0.1:9464'),
  INNKEEPER_NATS_URL: z
    .string()
    .default('tls://127.0.0.1:4222')
    .refine((url) => /^(?:tls|nats):\/\/[^/@]+$/.test(url), 'must look like tls://host:port'),
  INNKEEPER_PUBLIC_HOST: list('host names or addresses', isHost).refine(
    (hosts) => hosts.length > 0,
    'must name at least one host under which nodes reach this control plane',
  ),
  INNKEEPER_PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must look like https://panel.example.com:8443, without a path')
    .transform((url) => new URL(url).origin)
    .optional(),
  INNKEEPER_RESERVED_DOMAINS: list('domain names', isDomain),
  INNKEEPER_TRUSTED_PROXIES: list('addresses or CIDR ranges', isRange),
  INNKEEPER_RATE_LIMIT_USER: requestsAMinute('user'),
  INNKEEPER_RATE_LIMIT_HEALTH: requestsAMinute('health'),
  INNKEEPER_RATE_LIMIT_SSO: requestsAMinute('sso'),
  INNKEEPER_LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'must be one of trace, debug, info, warn, error, silent',
    )
    .default('info'),
  INNKEEPER_APPLY_TIMEOUT_MS: wholeNumber({ min: 0, max: 60_000 }).default(10_000),
  INNKEEPER_TEMPLATES_DIR: z.string().optional(),
  INNKEEPER_GIT_ALLOWED_NETWORKS: list('addresses or CIDR ranges', isRange),
  INNKEEPER_SMTP_PORTS: list('port numbers', isPort, '25,465,587,2525'),
  INNKEEPER_UPLOAD_DIR: z.string().default(tmpdir()),
  INNKEEPER_UPLOAD_MAX_MB: wholeNumber({
    min: 1,
    max: ARCHIVE_HIGHEST_LIMIT_BYTES / 1024 ** 2,
  }).default(ARCHIVE_MAX_BYTES / 1024 ** 2),
  INNKEEPER_UPLOAD_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 86_400_000 }).default(3_600_000),
  INNKEEPER_UPLOADS_AT_ONCE: wholeNumber({ min: 1, max: 1_000 }).default(16),
  INNKEEPER_UPLOAD_MIN_KIB_PER_S: wholeNumber({ min: 0, max: 1_048_576 }).default(64),
});

export const settingNames: readonly string[] = Object.keys(environment.shape);

/**
 * Reads every setting. Throws ConfigError with the name and the rule of each invalid variable. Never prints the value
 * of a database setting.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values = readEnvironment(environment, env);
  const httpTls = tlsFiles(values.INNKEEPER_HTTP_TLS_CERT, values.INNKEEPER_HTTP_TLS_KEY);
  const http = httpAddress(values, httpTls);
  return {
    databaseUrl: withPasswordFile(values.INNKEEPER_DATABASE_URL, values.INNKEEPER_DATABASE_PASSWORD_FILE),
    databasePoolSize: values.INNKEEPER_DATABASE_POOL_SIZE,
    keysDir: values.INNKEEPER_KEYS_DIR,
    http,
    httpTls,
    isPlainAllowed: httpTls === undefined && !isLoopback(http),
    grpc: values.INNKEEPER_GRPC_ADDRESS,
    grpcOwnAddress: ownAddressOf(values.INNKEEPER_GRPC_OWN_ADDRESS),
    grpcLimits: {
      agents: values.INNKEEPER_GRPC_AGENT_CONNECTIONS,
      anonymous: values.INNKEEPER_GRPC_ANONYMOUS_CONNECTIONS,
      anonymousPerAddress: values.INNKEEPER_GRPC_ANONYMOUS_PER_ADDRESS,
      anonymousTimeoutMs: values.INNKEEPER_GRPC_ANONYMOUS_TIMEOUT_MS,
    },
    metrics: values.INNKEEPER_METRICS_ADDRESS,
    natsUrl: values.INNKEEPER_NATS_URL,
    publicHosts: values.INNKEEPER_PUBLIC_HOST,
    publicUrl: values.INNKEEPER_PUBLIC_URL ?? ownUrl(values.INNKEEPER_PUBLIC_HOST, { http, httpTls }),
    reservedDomains: values.INNKEEPER_RESERVED_DOMAINS,
    trustedProxies: values.INNKEEPER_TRUSTED_PROXIES,
    rateLimits: {
      user: values.INNKEEPER_RATE_LIMIT_USER,
      health: values.INNKEEPER_RATE_LIMIT_HEALTH,
      sso: values.INNKEEPER_RATE_LIMIT_SSO,
    },
    logLevel: values.INNKEEPER_LOG_LEVEL,
    applyTimeoutMs: values.INNKEEPER_APPLY_TIMEOUT_MS,
    templatesDir: values.INNKEEPER_TEMPLATES_DIR,
    gitAllowedNetworks: values.INNKEEPER_GIT_ALLOWED_NETWORKS.flatMap((range) => canonicalRange(range) ?? []),
    smtpPorts: values.INNKEEPER_SMTP_PORTS.map(Number),
    uploads: {
      dir: values.INNKEEPER_UPLOAD_DIR,
      maxBytes: values.INNKEEPER_UPLOAD_MAX_MB * 1024 ** 2,
      timeoutMs: values.INNKEEPER_UPLOAD_TIMEOUT_MS,
      atOnce: values.INNKEEPER_UPLOADS_AT_ONCE,
      minBytesPerSecond: values.INNKEEPER_UPLOAD_MIN_KIB_PER_S * 1024,
    },
  };
}

/**
 * The default URL, if there is no proxy in front: the first public host, with the port on which this process listens.
 */
function ownUrl([host = '']: readonly string[], { http, httpTls }: Pick<Config, 'http' | 'httpTls'>): string {
  const scheme = httpTls === undefined ? 'http' : 'https';
  const authority = isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`${scheme}://${authority}:${http.port}`).origin;
}

/**
 * Returns the address on which to serve HTTP. Passwords, tokens and login links must not cross a network unencrypted:
 * without a certificate the address must be loopback, unless INNKEEPER_HTTP_PLAIN allows any address. Throws
 * ConfigError.
 */
function httpAddress(
  { INNKEEPER_HTTP_ADDRESS: wanted, INNKEEPER_HTTP_PLAIN: plain }: z.output<typeof environment>,
  httpTls: Config['httpTls'],
): ListenAddress {
  const isAnyAddressAllowed = httpTls !== undefined || plain === 'yes';
  const http = wanted ?? { host: isAnyAddressAllowed ? '0.0.0.0' : '127.0.0.1', port: 8443 };
  if (isAnyAddressAllowed || isLoopback(http)) return http;
  throw new ConfigError(
    'INNKEEPER_HTTP_ADDRESS must be a loopback address while there is no certificate: set INNKEEPER_HTTP_TLS_CERT and ' +
      'INNKEEPER_HTTP_TLS_KEY for HTTPS, or INNKEEPER_HTTP_PLAIN=yes where a proxy in front speaks HTTPS.',
  );
}

function ownAddressOf(address: ListenAddress | undefined): string | null {
  if (address === undefined) return null;
  return `${isIP(address.host) === 6 ? `[${address.host}]` : address.host}:${address.port}`;
}

function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function tlsFiles(certFile: string | undefined, keyFile: string | undefined): Config['httpTls'] {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === keyFile) return undefined;
  throw new ConfigError(
    'INNKEEPER_HTTP_TLS_CERT and INNKEEPER_HTTP_TLS_KEY must be set both, for HTTPS, or neither, for HTTP.',
  );
}
