import { requireProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import {
  type DatabaseProgram,
  type DatabaseServer,
  type DatabaseServerOptions,
  startDatabaseServer,
  stopDatabaseServer,
} from './database-server.ts';

const MARIADB: DatabaseProgram = {
  name: 'mariadb',
  install: async (dataDir, temporaryFolder) => {
    await requireProgram([
      'mariadb-install-db',
      '--no-defaults',
      '--user=mysql',
      `--datadir=${dataDir}`,
      `--tmpdir=${temporaryFolder}`,
      '--auth-root-authentication-method=socket',
      '--auth-root-socket-user=root',
      '--skip-test-db',
      '--skip-name-resolve',
      // Without this option the install fails on a machine whose own hostname does not resolve.
      '--force',
    ]);
  },
  serverArgv: (options, forTests) => [
    '/usr/sbin/mariadbd',
    '--no-defaults',
    '--user=mysql',
    ...options,
    '--innodb-log-file-size=64M',
    ...(forTests
      ? [
          '--innodb-flush-log-at-trx-commit=0',
          '--skip-innodb-doublewrite',
          '--innodb-flush-method=nosync',
          '--sync-frm=0',
        ]
      : []),
  ],
  clientArgv: (options) => ['mariadb', '--no-defaults', ...options],
  identifiedBy: (password) => `IDENTIFIED BY '${password}'`,
};

/** Starts a MariaDB server of Debian 12. See `startDatabaseServer`. */
export async function startMariadb(
  state: StateDir,
  options: DatabaseServerOptions = {},
): Promise<DatabaseServer> {
  return await startDatabaseServer(MARIADB, state, options);
}

/** Stops the state folder's MariaDB, if it runs. Its data stays. */
export async function stopMariadb(state: StateDir): Promise<void> {
  await stopDatabaseServer(MARIADB.name, state);
}
