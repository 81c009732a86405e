import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { type RateLimitName, rateLimits } from '@innkeeper/contract';
import { RATE_LIMIT_MAX } from '@innkeeper/db';
import { ARCHIVE_MAX_BYTES, canonicalRange } from '@innkeeper/domain';
import { z } from 'zod';

export interface ListenAddress {
  host: string;
  port: number;
}

export interface Config {
  /** With its password in place. */
  databaseUrl: string;
  databasePoolSize: number;
  keysDir: string;
  http: ListenAddress;
  /** Files in PEM; undefined: plain HTTP. */
  httpTls: { certFile: string; keyFile: string } | undefined;
  grpc: ListenAddress;
  metrics: ListenAddress;
  natsUrl: string;
  /** Names and addresses under which nodes reach this control plane. */
  publicHosts: readonly string[];
  /** Where browsers reach the panel: scheme, host and port, without a path. */
  publicUrl: string;
  /** Addresses and CIDR ranges whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  trustedProxies: readonly string[];
  /** Requests a minute; 0: not limited. */
  rateLimits: Readonly<Record<RateLimitName, number>>;
  logLevel: string;
  /** How long a write waits for its node. */
  applyTimeoutMs: number;
  /** Folder with an operator's app templates; undefined: the built-in ones only. */
  templatesDir: string | undefined;
  /** Ranges that Git repositories may be in although they are not public. */
  gitAllowedNetworks: readonly string[];
  uploads: UploadConfig;
}

export interface UploadConfig {
  /** Where archives lie while they are taken. */
  dir: string;
  /** Of one archive. */
  maxBytes: number;
  /** How long one may take to arrive. */
  timeoutMs: number;
  /** How many one instance takes at the same time. */
  atOnce: number;
}

/** A setting that the process cannot start with. One sentence for each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

const listenAddress = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, ctx): ListenAddress => {
      const parts = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text);
      const host = parts?.[1] ?? parts?.[2];
      const port = Number(parts?.[3]);
      if (host !== undefined && port <= 65_535) return { host, port };
      ctx.addIssue('must be ADDRESS:PORT, an IPv6 address in brackets');
      return z.NEVER;
    });

const list = (rule: string, accepts: (item: string) => boolean) =>
  z
    .string()
    .default('')
    .transform((text, ctx): string[] => {
      const items = text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
      for (const item of items) {
        if (!accepts(item)) ctx.addIssue(`must be ${rule}, separated by commas; "${item}" is not`);
      }
      return items;
    });

const isHost = (text: string) => isIP(text) !== 0 || /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
const isOrigin = (text: string) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text);
const isRange = (text: string) => canonicalRange(text) !== undefined;

const whole = (fallback: number, { min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const milliseconds = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value <= max, `must not be greater than ${max}`);

const requestsAMinute = (name: RateLimitName) =>
  whole(rateLimits[name].requests, { min: 0, max: RATE_LIMIT_MAX });

const environment = z.object({
  INNKEEPER_DATABASE_URL: z
    .string('must be set: mysql://user:password@host:port/database')
    .refine(
      (url) => URL.canParse(url) && new URL(url).protocol === 'mysql:',
      'must look like mysql://user:password@host:port/database',
    ),
  INNKEEPER_DATABASE_PASSWORD_FILE: z.string().optional(),
  INNKEEPER_DATABASE_POOL_SIZE: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .default('10')
    .transform(Number)
    .refine((size) => size >= 2 && size <= 500, 'must be between 2 and 500'),
  INNKEEPER_KEYS_DIR: z.string('must be set: the folder that "innctl init" made'),
  INNKEEPER_HTTP_ADDRESS: listenAddress('0.0.0.0:8443'),
  INNKEEPER_HTTP_TLS_CERT: z.string().optional(),
  INNKEEPER_HTTP_TLS_KEY: z.string().optional(),
  INNKEEPER_GRPC_ADDRESS: listenAddress('0.0.0.0:8444'),
  INNKEEPER_METRICS_ADDRESS: listenAddress('127.0.0.1:9464'),
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
  INNKEEPER_APPLY_TIMEOUT_MS: milliseconds(10_000, 60_000),
  INNKEEPER_TEMPLATES_DIR: z.string().optional(),
  INNKEEPER_GIT_ALLOWED_NETWORKS: list('addresses or CIDR ranges', isRange),
  INNKEEPER_UPLOAD_DIR: z.string().default(tmpdir()),
  INNKEEPER_UPLOAD_MAX_MB: whole(ARCHIVE_MAX_BYTES / 1024 ** 2, { min: 1, max: 4_096 }),
  INNKEEPER_UPLOAD_TIMEOUT_MS: whole(3_600_000, { min: 1_000, max: 86_400_000 }),
  INNKEEPER_UPLOADS_AT_ONCE: whole(4, { min: 1, max: 100 }),
});

export const settingNames: readonly string[] = Object.keys(environment.shape);

/** Reads every setting. Throws ConfigError naming each variable that is wrong and its rule; never a value of the database's. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
  }
  const values = parsed.data;
  return {
    databaseUrl: withPassword(values.INNKEEPER_DATABASE_URL, values.INNKEEPER_DATABASE_PASSWORD_FILE),
    databasePoolSize: values.INNKEEPER_DATABASE_POOL_SIZE,
    keysDir: values.INNKEEPER_KEYS_DIR,
    http: values.INNKEEPER_HTTP_ADDRESS,
    httpTls: tlsFiles(values.INNKEEPER_HTTP_TLS_CERT, values.INNKEEPER_HTTP_TLS_KEY),
    grpc: values.INNKEEPER_GRPC_ADDRESS,
    metrics: values.INNKEEPER_METRICS_ADDRESS,
    natsUrl: values.INNKEEPER_NATS_URL,
    publicHosts: values.INNKEEPER_PUBLIC_HOST,
    publicUrl: values.INNKEEPER_PUBLIC_URL ?? ownUrl(values),
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
    uploads: {
      dir: values.INNKEEPER_UPLOAD_DIR,
      maxBytes: values.INNKEEPER_UPLOAD_MAX_MB * 1024 ** 2,
      timeoutMs: values.INNKEEPER_UPLOAD_TIMEOUT_MS,
      atOnce: values.INNKEEPER_UPLOADS_AT_ONCE,
    },
  };
}

/** Without a proxy in front: the first public host, on the port where this process listens. */
function ownUrl(values: z.output<typeof environment>): string {
  const [host = ''] = values.INNKEEPER_PUBLIC_HOST;
  const scheme = values.INNKEEPER_HTTP_TLS_CERT === undefined ? 'http' : 'https';
  const authority = isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`${scheme}://${authority}:${values.INNKEEPER_HTTP_ADDRESS.port}`).origin;
}

function tlsFiles(certFile: string | undefined, keyFile: string | undefined): Config['httpTls'] {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === keyFile) return undefined;
  throw new ConfigError([
    'INNKEEPER_HTTP_TLS_CERT and INNKEEPER_HTTP_TLS_KEY must be set both, for HTTPS, or neither, for HTTP.',
  ]);
}

function withPassword(url: string, passwordFile: string | undefined): string {
  if (passwordFile === undefined) return url;
  const parsed = new URL(url);
  parsed.password = encodeURIComponent(readPassword(passwordFile));
  return parsed.href;
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `INNKEEPER_DATABASE_PASSWORD_FILE must name a file that this user may read: ${file} (${code}).`,
    ]);
  }
}
