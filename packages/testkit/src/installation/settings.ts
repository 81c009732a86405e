import { chmod, chown, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import type { DatabaseServer } from '../servers/database-server.ts';
import type { InstallationPorts } from './ports.ts';

/** The system user of the control plane. */
export const SYSTEM_USER = 'innkeeper';

/** Creates the system user if it does not exist. */
export async function ensureSystemUser(): Promise<void> {
  const found = await requireProgram(['getent', 'passwd', SYSTEM_USER]).then(
    () => true,
    () => false,
  );
  if (found) return;
  const flags = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  await requireProgram(['useradd', ...flags, '--shell', '/usr/sbin/nologin', SYSTEM_USER]);
}

/**
 * Writes the settings of the API and of innctl, readable for the system user's group. Returns the file's path.
 * `rateLimit`: requests per minute and user; 0: not limited; undefined: the defaults.
 */
export async function writeSettings(
  state: StateDir,
  ports: InstallationPorts,
  hostAddress: string,
  database: DatabaseServer,
  rateLimit: number | undefined,
): Promise<string> {
  const settings = {
    INNKEEPER_DATABASE_URL: database.url,
    INNKEEPER_KEYS_DIR: join(state.path, 'keys'),
    INNKEEPER_HTTP_ADDRESS: `127.0.0.1:${ports.http}`,
    INNKEEPER_PUBLIC_URL: `http://127.0.0.1:${ports.http}`,
    INNKEEPER_GRPC_ADDRESS: `0.0.0.0:${ports.grpc}`,
    INNKEEPER_METRICS_ADDRESS: `127.0.0.1:${ports.metrics}`,
    INNKEEPER_NATS_URL: `tls://${hostAddress}:${ports.nats}`,
    INNKEEPER_PUBLIC_HOST: hostAddress,
    INNKEEPER_GRPC_PORT: String(ports.grpc),
    INNKEEPER_LOG_LEVEL: 'info',
    ...(rateLimit === undefined ? {} : { INNKEEPER_RATE_LIMIT_USER: String(rateLimit) }),
    ...(rateLimit === 0 ? { INNKEEPER_RATE_LIMIT_HEALTH: '0', INNKEEPER_RATE_LIMIT_SSO: '0' } : {}),
  };
  const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  const path = join(state.path, 'api.conf');
  const { stdout } = await requireProgram(['getent', 'group', SYSTEM_USER]);
  await writeFile(`${path}.new`, text.join(''), { mode: 0o600 });
  await chown(`${path}.new`, 0, Number(stdout.split(':')[2]));
  await chmod(`${path}.new`, 0o640);
  await rename(`${path}.new`, path);
  return path;
}
