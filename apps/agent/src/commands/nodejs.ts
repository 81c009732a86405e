import { ConfigError } from '@innkeeper/domain';
import { findPlaced, placeNodejs } from '../capabilities/apps/nodejs/place-nodejs.ts';
import { Changes } from '../node/changes.ts';
import { Exec } from '../node/exec.ts';

export interface NodejsCommandOptions {
  registry: string;
  offered: readonly string[];
  write: (text: string) => void;
}

/** Lists the versions of Node.js that apps can have, and which of them are installed. */
export async function listNodejsVersions({ offered, write }: NodejsCommandOptions): Promise<number> {
  for (const major of offered)
    write(`${major}\t${(await findPlaced(major)) ?? 'fetched when it is needed'}\n`);
  return 0;
}

/**
 * Installs a version before the first app needs it, or updates an installed one to a newer release. Throws HostError.
 */
export async function installNodejsVersion(major: string, options: NodejsCommandOptions): Promise<number> {
  const { registry, offered, write } = options;
  if (!offered.includes(major))
    throw new ConfigError(
      `Node.js ${major} is not available on this server. INNKEEPER_NODE_VERSIONS has: ${offered.join(' ')}`,
    );
  const changes = new Changes();
  const version = await placeNodejs(major, { registry }, new Exec(changes), changes);
  write(`Apps with Node.js ${major} use version ${version} after their next start.\n`);
  return 0;
}
