import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { withPasswordFile } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';

/** The settings file of the API: innctl uses the same database and keys. */
export const DEFAULT_CONFIG_FILE = '/etc/innkeeper/api.conf';

const DEFAULT_GRPC_PORT = '8444';
const DEFAULT_HTTP_PORT = '8443';

export interface InnctlConfig {
  /** URL with the password. Throws DomainError `precondition_failed` if no database is configured. */
  databaseUrl(): string;
  /** Folder of the keys. Throws DomainError `precondition_failed` if it is not configured. */
  keysDir(): string;
  /** Address of the node service for nodes, `host:port`. Null if no public host is configured. */
  nodeServiceAddress(): string | null;
  natsUrl(): string | null;
  /** The URL of the panel, as the API has it. Throws DomainError `precondition_failed` if it is not configured. */
  publicUrl(): string;
}

/**
 * Reads settings from the environment, then from the configuration file (`KEY=value` lines), which may be
 * missing when it is the default one.
 */
export function loadConfig(env: NodeJS.ProcessEnv, configFile = DEFAULT_CONFIG_FILE): InnctlConfig {
  const file = readConfigFile(configFile);
  const find = (name: string) => env[name] || file[name] || null;
  const require = (name: string, what: string) => {
    const value = find(name);
    if (value !== null) return value;
    throw new DomainError(
      'precondition_failed',
      `${what} is not configured. Set ${name} in the environment or in ${configFile}.`,
    );
  };
  return {
    databaseUrl: () =>
      withPasswordFile(
        require('INNKEEPER_DATABASE_URL', 'The database'),
        find('INNKEEPER_DATABASE_PASSWORD_FILE') ?? undefined,
      ),
    keysDir: () => require('INNKEEPER_KEYS_DIR', 'The folder of the keys'),
    nodeServiceAddress: () => {
      const [host = ''] = (find('INNKEEPER_PUBLIC_HOST') ?? '').split(',').map((text) => text.trim());
      const port = /:(\d+)$/.exec(find('INNKEEPER_GRPC_ADDRESS') ?? '')?.[1] ?? DEFAULT_GRPC_PORT;
      return host === '' ? null : `${inUrl(host)}:${port}`;
    },
    natsUrl: () => find('INNKEEPER_NATS_URL'),
    publicUrl: () => {
      const url = find('INNKEEPER_PUBLIC_URL');
      if (url !== null) return new URL(url).origin;
      const [host = ''] = require('INNKEEPER_PUBLIC_HOST', 'The name of the panel').split(',');
      const port = /:(\d+)$/.exec(find('INNKEEPER_HTTP_ADDRESS') ?? '')?.[1] ?? DEFAULT_HTTP_PORT;
      const scheme = find('INNKEEPER_HTTP_TLS_CERT') === null ? 'http' : 'https';
      return new URL(`${scheme}://${inUrl(host.trim())}:${port}`).origin;
    },
  };
}

/** A host in the form of URLs. */
function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function readConfigFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path === DEFAULT_CONFIG_FILE) return {};
    throw new DomainError(
      'precondition_failed',
      `The configuration file ${path} is not readable (${code}).`,
      {
        cause,
      },
    );
  }
}
