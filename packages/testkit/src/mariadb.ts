import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon, startDaemon, stopDaemon } from './daemon.ts';
import { freePort } from './port.ts';
import { requireProgram, runProgram } from './program.ts';
import type { StateDir } from './state-dir.ts';
import { waitUntil } from './wait-until.ts';

export interface MariadbOptions {
  /** On 127.0.0.1. Default: a free one. */
  port?: number;
  /**
   * Gives up durability for speed, and gives the user every right, so that tests may make databases of
   * their own. Without it the user has the database `innkeeper` and nothing else.
   */
  forTests?: boolean;
}

export interface Mariadb {
  /** `mysql://user:password@127.0.0.1:port/innkeeper`: holds a secret. */
  url: string;
  port: number;
  /** Root of the host is root there, without a password. */
  socketPath: string;
  stop(): Promise<void>;
}

const NAME = 'mariadb';

/**
 * A MariaDB server of the state folder's own, with its data in `<state>/mariadb`, run as user mysql; it
 * reads none of the machine's configuration. It is ready when this returns. A second call gives the one
 * that runs. It outlives this process, until `stop` or `stopMariadb`.
 */
export async function startMariadb(state: StateDir, options: MariadbOptions = {}): Promise<Mariadb> {
  const dir = join(state.path, 'mariadb');
  const socketPath = join(dir, 'server.sock');
  await mkdir(dir, { recursive: true });
  await requireProgram(['chown', 'mysql:mysql', '--', dir]);
  await installDatabase(join(dir, 'data'), await ensureTemporaryFolder(dir));
  const password = await keptSecret(join(state.path, 'secrets/mariadb'));

  if ((await findDaemon(recordDir(state), NAME)) === undefined) {
    const port = options.port ?? (await freePort());
    await writeFile(join(dir, 'port'), String(port));
    await startDaemon({
      recordDir: recordDir(state),
      name: NAME,
      logFile: join(state.path, 'log/mariadb.log'),
      argv: serverArgv(dir, socketPath, port, options.forTests === true),
    });
  }
  const port = Number(await readFile(join(dir, 'port'), 'utf8'));
  await waitUntil(
    `MariaDB on port ${port} (its log: ${state.dir}/log/mariadb.log)`,
    async () => {
      if ((await findDaemon(recordDir(state), NAME)) === undefined) throw new Error('it ended at once');
      return (await runProgram(clientArgv(socketPath), { input: 'SELECT 1' })).exitCode === 0;
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
  await requireProgram(clientArgv(socketPath), { input: setUpSql(password, options.forTests === true) });
  return {
    url: `mysql://innkeeper:${password}@127.0.0.1:${port}/innkeeper`,
    port,
    socketPath,
    stop: () => stopMariadb(state),
  };
}

/** Stops the state folder's MariaDB, when it runs. Its data stays. */
export async function stopMariadb(state: StateDir): Promise<void> {
  await stopDaemon(recordDir(state), NAME, 30_000);
}

function recordDir(state: StateDir): string {
  return join(state.path, 'pids');
}

/** A server removes temporary tables that it finds at its start: those of another server, in a shared folder. */
async function ensureTemporaryFolder(dir: string): Promise<string> {
  const folder = `${dir}/tmp`;
  await requireProgram(['install', '--directory', '--owner=mysql', '--mode=0700', folder]);
  return folder;
}

async function installDatabase(dataDir: string, temporaryFolder: string): Promise<void> {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await requireProgram([
    'mariadb-install-db',
    '--no-defaults',
    '--user=mysql',
    `--datadir=${unfinished}`,
    `--tmpdir=${temporaryFolder}`,
    '--auth-root-authentication-method=socket',
    '--auth-root-socket-user=root',
    '--skip-test-db',
    '--skip-name-resolve',
    // Without it a machine whose own name cannot be looked up is refused.
    '--force',
  ]);
  await rename(unfinished, dataDir);
}

function serverArgv(dir: string, socketPath: string, port: number, forTests: boolean): string[] {
  const relaxed = [
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-innodb-doublewrite',
    '--innodb-flush-method=nosync',
    '--sync-frm=0',
  ];
  return [
    '/usr/sbin/mariadbd',
    '--no-defaults',
    '--user=mysql',
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
    '--innodb-log-file-size=64M',
    ...(forTests ? relaxed : []),
  ];
}

function clientArgv(socketPath: string): string[] {
  return ['mariadb', '--no-defaults', '--batch', '--user=root', `--socket=${socketPath}`];
}

function setUpSql(password: string, forTests: boolean): string {
  const account = "'innkeeper'@'127.0.0.1'";
  const target = forTests ? '*.*' : 'innkeeper.*';
  return [
    'CREATE DATABASE IF NOT EXISTS innkeeper CHARACTER SET utf8mb4;',
    `CREATE USER IF NOT EXISTS ${account};`,
    `ALTER USER ${account} IDENTIFIED BY '${password}';`,
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
