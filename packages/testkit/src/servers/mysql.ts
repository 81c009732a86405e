import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { unprivileged } from '../processes/unprivileged.ts';
import {
  type DatabaseProgram,
  type DatabaseServer,
  type DatabaseServerOptions,
  startDatabaseServer,
  stopDatabaseServer,
} from './database-server.ts';
import { ensureMysqlRoot, fromRoot } from './mysql-root.ts';

const NAME = 'mysql';

/** Runs before the server listens. The initial data directory has no plugins, so root has no password until then. */
const ROOT_IS_ROOT = "ALTER USER 'root'@'localhost' IDENTIFIED WITH auth_socket;\n";

function mysqlOf(root: string, initFile: string): DatabaseProgram {
  const server = [
    '--no-defaults',
    `--basedir=${join(root, 'usr')}`,
    `--plugin-dir=${join(root, 'usr/lib/mysql/plugin')}`,
    `--lc-messages-dir=${join(root, 'usr/share/mysql')}`,
  ];
  const mysqld = (options: readonly string[]) =>
    unprivileged('mysql', fromRoot(root, 'usr/sbin/mysqld', [...server, ...options]));
  return {
    name: NAME,
    install: async (dataDir, temporaryFolder) => {
      await requireProgram(
        mysqld([
          '--initialize-insecure',
          `--datadir=${dataDir}`,
          `--tmpdir=${temporaryFolder}`,
          '--innodb-flush-method=nosync',
        ]),
      );
    },
    serverArgv: (options, forTests) =>
      mysqld([
        ...options,
        `--init-file=${initFile}`,
        '--plugin-load-add=auth_socket.so',
        '--secure-file-priv=NULL',
        '--mysqlx=OFF',
        '--innodb-redo-log-capacity=64M',
        ...(forTests
          ? [
              '--skip-log-bin',
              '--innodb-flush-log-at-trx-commit=0',
              '--innodb-doublewrite=OFF',
              '--innodb-flush-method=nosync',
            ]
          : []),
      ]),
    clientArgv: (options) => fromRoot(root, 'usr/bin/mysql', ['--no-defaults', ...options]),
    identifiedBy: (password) => `IDENTIFIED WITH caching_sha2_password BY '${password}'`,
  };
}

/**
 * Starts a MySQL 9.7 server from its own root file system, whose first build takes about 1 minute. See
 * `startDatabaseServer`. Its user authenticates with caching_sha2_password, the default of MySQL.
 */
export async function startMysql(
  state: StateDir,
  options: DatabaseServerOptions = {},
): Promise<DatabaseServer> {
  const root = await ensureMysqlRoot({ logFile: join(state.path, 'log/mysql-root.log') });
  const initFile = join(state.path, 'mysql.sql');
  await writeFile(initFile, ROOT_IS_ROOT);
  return await startDatabaseServer(mysqlOf(root, initFile), state, options);
}

/** Stops the state folder's MySQL, if it runs. Its data stays. */
export async function stopMysql(state: StateDir): Promise<void> {
  await stopDatabaseServer(NAME, state);
}
