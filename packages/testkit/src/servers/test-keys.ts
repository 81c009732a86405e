import { cp, readFile, writeFile } from 'node:fs/promises';
import { ensureKeyFolder, keyFolderPaths } from '@innkeeper/protocol/keys';

export interface TestKeysOptions {
  /** Makes keys that no other test has. Takes a third of a second of CPU time. */
  ownKeys?: boolean;
}

/**
 * Makes a key folder for a control plane on loopback, and returns the configuration file of its NATS server. The keys
 * are those of the run's key folder (INNKEEPER_TEST_KEYS_DIR) if there is one.
 */
export async function makeTestKeys(
  dir: string,
  natsPort: number,
  { ownKeys = false }: TestKeysOptions = {},
): Promise<string> {
  const made = process.env.INNKEEPER_TEST_KEYS_DIR;
  if (ownKeys || made === undefined) {
    const folder = await ensureKeyFolder(dir, { hosts: ['127.0.0.1'], natsPort, gid: null });
    return folder.natsConfigFile;
  }
  await cp(made, dir, { recursive: true });
  const { natsServerConfig } = keyFolderPaths(dir);
  const config = await readFile(natsServerConfig, 'utf8');
  await writeFile(
    natsServerConfig,
    config.replaceAll(made, dir).replace(/^port: \d+$/m, `port: ${natsPort}`),
  );
  return natsServerConfig;
}
