import type { Exec } from './exec.ts';

/**
 * The lock of the account database: an fcntl lock on /etc/.pwd.lock (lckpwdf). useradd, vipw, chage, pam_unix,
 * systemd-sysusers and all other tools wait for it. The per-file locks (passwd.lock) are not taken: shadow-utils takes
 * them while holding this lock, and fails at once when one exists.
 *
 * Node.js has no fcntl, so a Perl process holds the lock (Perl is essential in Debian). The process ends when its
 * standard input closes, also when the agent is killed, and the lock is released with it.
 */
const WAIT_SECONDS = 15;
const HOLD_LOCK = `
use Fcntl;
$SIG{ALRM} = sub { die "another program has held the lock for ${WAIT_SECONDS} s\\n" };
sysopen(my $file, $ARGV[0], O_WRONLY | O_CREAT | O_CLOEXEC, 0600) or die "$!\\n";
alarm ${WAIT_SECONDS};
my $lock = pack('s s x4 q q l x4', F_WRLCK, 0, 0, 0, 0);
fcntl($file, F_SETLKW, $lock) or die "$!\\n";
alarm 0;
syswrite(STDOUT, "locked\\n");
sysread(STDIN, my $end, 1);
`;

/** Runs `work` while holding the lock. HostError (retryable) when the lock is not free within 15 s. */
export async function withAccountLock<T>(exec: Exec, folder: string, work: () => Promise<T>): Promise<T> {
  const release = await exec.hold('/usr/bin/perl', ['-e', HOLD_LOCK, `${folder}/.pwd.lock`]);
  try {
    return await work();
  } finally {
    await release();
  }
}
