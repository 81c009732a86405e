import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import { freePort } from '../processes/port.ts';
import { requireProgram, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';

export interface DatabaseServerOptions {
  /** Port on 127.0.0.1. Default: a free one. */
  port?: number;
  /**
   * Trades durability for speed, and gives the user all privileges, so that tests may create databases. Without it the
   * user has access only to the database `innkeeper`.
   */
  forTests?: boolean;
}

export interface DatabaseServer {
  /** `mysql://user:password@127.0.0.1:port/innkeeper`. Contains a secret. */
  url: string;
  port: number;
  /** The host's root user is root of the server there, without a password. */
  socketPath: string;
  stop(): Promise<void>;
}

/** The differences between MariaDB and MySQL. */
export interface DatabaseProgram {
  /** Name of its folder in the state folder, of its record and of its log. */
  name: string;
  install(dataDir: string, temporaryFolder: string): Promise<void>;
  /** Start arguments, in addition to the common ones. */
  serverArgv(options: readonly string[], forTests: boolean): string[];
  clientArgv(options: readonly string[]): string[];
  /** The SQL clause that sets how an account authenticates. */
  identifiedBy(password: string): string;
}

/**
 * Starts a server with its data in `<state>/<name>`. It runs as user mysql and reads none of the machine's
 * configuration. Resolves when it is ready. A second call returns the running server. The server runs until it is
 * stopped, also after this process has ended.
 */
export async function startDatabaseServer(
  program: DatabaseProgram,
  state: StateDir,
  options: DatabaseServerOptions,
): Promise<DatabaseServer> {
  const { name } = program;
  const forTests = options.forTests === true;
  const dir = join(state.path, name);
  const socketPath = join(dir, 'server.sock');
  await mkdir(dir, { recursive: true });
  await requireProgram(['chown', 'mysql:mysql', '--', dir]);
  await installDatabase(program, join(dir, 'data'), await ensureTemporaryFolder(dir));
  const password = await keptSecret(join(state.path, 'secrets', name));

  if ((await findDaemon(recordDir(state), name)) === undefined) {
    const port = options.port ?? (await freePort());
    await writeFile(join(dir, 'port'), String(port));
    await startDaemon({
      recordDir: recordDir(state),
      name,
      logFile: join(state.path, `log/${name}.log`),
      argv: program.serverArgv(sharedOptions(dir, socketPath, port), forTests),
    });
  }
  const port = Number(await readFile(join(dir, 'port'), 'utf8'));
  const client = program.clientArgv(['--batch', '--user=root', `--socket=${socketPath}`]);
  await waitUntil(
    `${name} on port ${port} (its log: ${state.dir}/log/${name}.log)`,
    async () => {
      if ((await findDaemon(recordDir(state), name)) === undefined) throw new Error('it ended at once');
      return (await runProgram(client, { input: 'SELECT 1' })).exitCode === 0;
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
  await requireProgram(client, { input: setUpSql(program.identifiedBy(password), forTests) });
  return {
    url: `mysql://innkeeper:${password}@127.0.0.1:${port}/innkeeper`,
    port,
    socketPath,
    stop: () => stopDatabaseServer(name, state),
  };
}

/** Stops the state folder's server of that name, if it runs. Its data stays. */
export async function stopDatabaseServer(name: string, state: StateDir): Promise<void> {
  await stopDaemon(recordDir(state), name, 30_000);
}

function recordDir(state: StateDir): string {
  return join(state.path, 'pids');
}

/**
 * Creates the server's own temporary folder. At its start a server removes the temporary tables that it finds, so in a
 * shared folder it would remove those of another server.
 */
async function ensureTemporaryFolder(dir: string): Promise<string> {
  const folder = `${dir}/tmp`;
  await requireProgram(['install', '--directory', '--owner=mysql', '--mode=0700', folder]);
  return folder;
}

async function installDatabase(program: DatabaseProgram, dataDir: string, temporary: string): Promise<void> {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await program.install(unfinished, temporary);
  await rename(unfinished, dataDir);
}

function sharedOptions(dir: string, socketPath: string, port: number): string[] {
  return [
    `--datadir=${dir}/data`,
    `--tmpdir=${dir}/tmp`,
    `--socket=${socketPath}`,
    `--pid-file=${dir}/server.pid`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--local-infile=0',
    '--character-set-server=utf8mb4',
    '--max-connections=400',
    '--innodb-buffer-pool-size=128M',
  ];
}

function setUpSql(identified: string, forTests: boolean): string {
  const account = "'innkeeper'@'127.0.0.1'";
  const target = forTests ? '*.*' : 'innkeeper.*';
  return [
    'CREATE DATABASE IF NOT EXISTS innkeeper CHARACTER SET utf8mb4;',
    `CREATE USER IF NOT EXISTS ${account};`,
    `ALTER USER ${account} ${identified};`,
    `GRANT ALL PRIVILEGES ON ${target} TO ${account};`,
  ].join('\n');
}

async function keptSecret(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept !== '') return kept;
  const secret = randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x');
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await writeFile(path, secret, { mode: 0o600 });
  return secret;
}
