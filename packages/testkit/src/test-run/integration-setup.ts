import { join } from 'node:path';
import { ensureKeyFolder } from '@innkeeper/protocol/keys';
import { mountStateDir, type StateDir } from '../processes/state-dir.ts';
import type { DatabaseServer } from '../servers/database-server.ts';
import { startMariadb } from '../servers/mariadb.ts';
import { startMysql } from '../servers/mysql.ts';
import { takeProjectState } from './own-state.ts';

/**
 * Starts MariaDB for all integration tests, and makes the keys that their control planes share. The tests read their
 * places from the environment. Variables that are already set are used unchanged. With INNKEEPER_TEST_DATABASE=mysql it starts MySQL
 * 9.7 instead of MariaDB.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.INNKEEPER_TEST_MARIADB_URL !== undefined) return undefined;
  const { stateDir, end } = await takeProjectState('integration');
  try {
    const state = await mountStateDir(stateDir);
    const keysDir = join(state.path, 'keys');
    const [database] = await Promise.all([
      startDatabase(state),
      ensureKeyFolder(keysDir, { hosts: ['127.0.0.1'], natsPort: 4222, gid: null }),
    ]);
    Object.assign(process.env, {
      INNKEEPER_TEST_MARIADB_URL: database.url,
      INNKEEPER_TEST_DATABASE_SOCKET: database.socketPath,
      INNKEEPER_TEST_KEYS_DIR: keysDir,
    });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

async function startDatabase(state: StateDir): Promise<DatabaseServer> {
  const wanted = process.env.INNKEEPER_TEST_DATABASE ?? 'mariadb';
  if (wanted === 'mariadb') return await startMariadb(state, { forTests: true });
  if (wanted === 'mysql') return await startMysql(state, { forTests: true });
  throw new Error(`INNKEEPER_TEST_DATABASE is mariadb or mysql, not "${wanted}"`);
}
