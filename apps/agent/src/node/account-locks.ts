import type { Exec } from './exec.ts';
import perl from './perl.embed.ts';

/**
 * The lock of the account database: an fcntl lock on /etc/.pwd.lock (lckpwdf). useradd, vipw, chage, pam_unix,
 * systemd-sysusers and all other tools wait for it. The per-file locks (passwd.lock) are not taken: shadow-utils takes
 * them while holding this lock, and fails at once when one exists.
 *
 * Node.js has no fcntl, so a Perl process holds the lock (Perl is essential in Debian). The process ends when its
 * standard input closes, also when the agent is killed, and the lock is released with it.
 */
const WAIT_SECONDS = '15';

/** Runs `work` while holding the lock. HostError (retryable) when the lock is not free within 15 s. */
export async function withAccountLock<T>(exec: Exec, folder: string, work: () => Promise<T>): Promise<T> {
  const release = await exec.hold('/usr/bin/perl', [
    '-e',
    perl.accountLocks,
    `${folder}/.pwd.lock`,
    WAIT_SECONDS,
  ]);
  try {
    return await work();
  } finally {
    await release();
  }
}
