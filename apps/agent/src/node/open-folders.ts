import { HostError } from './host-error.ts';
import { RootFolder } from './root-folder.ts';

/** Folders in which modules change files by path. scripts/check-imports.ts lists the modules. */
const FOLDERS = [
  '/etc/cron.d',
  '/etc/innkeeper/apps',
  '/etc/innkeeper/certificates',
  '/etc/innkeeper/cron',
  '/etc/innkeeper/mail/accounts',
  '/etc/innkeeper/postfix',
  '/etc/innkeeper/ssh-keys',
  '/etc/innkeeper/ftp-logins',
  '/etc/innkeeper/php',
  '/etc/innkeeper/sites',
  '/etc/systemd/system/multi-user.target.wants',
  '/etc/systemd/system/sockets.target.wants',
  '/home',
  '/home/.innkeeper-tmp/tmp',
  '/home/.innkeeper-tmp/units',
  '/home/.innkeeper-tmp/var-tmp',
  '/opt/innkeeper',
  '/run/innkeeper/apps',
  '/run/innkeeper/php',
  '/var/lib/innkeeper/acme/.well-known/acme-challenge',
  '/var/log/innkeeper',
];

/**
 * Returns one sentence for each folder of the agent that users other than root may write to, or that lies below such a
 * folder.
 */
export async function findOpenFolders(stateDir: string, folders = FOLDERS): Promise<string[]> {
  const found = await Promise.all([stateDir, ...folders].map(findOpen));
  return [...new Set(found.flat())];
}

async function findOpen(folder: string): Promise<string[]> {
  try {
    await RootFolder.within(folder, async () => {});
    return [];
  } catch (error) {
    if (error instanceof HostError) return [error.message];
    throw error;
  }
}
