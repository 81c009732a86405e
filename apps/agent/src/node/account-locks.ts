import type { Exec } from './exec.ts';

/**
 * The lock of the account database: an fcntl lock on /etc/.pwd.lock (lckpwdf), which useradd, vipw, chage,
 * pam_unix, systemd-sysusers and everybody else waits for. The lock files beside it (passwd.lock) are
 * not taken: shadow-utils takes them under this one, and gives up at once where it finds one.
 *
 * Node has no fcntl, so Perl, which is essential in Debian, holds the lock. It ends, and the lock with
 * it, when its standard input does: also when the agent is killed.
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

/** Runs `work` while it holds the lock. HostError (retryable) when the lock stays taken for 15 s. */
export async function withAccountLock<T>(exec: Exec, folder: string, work: () => Promise<T>): Promise<T> {
  const release = await exec.hold('/usr/bin/perl', ['-e', HOLD_LOCK, `${folder}/.pwd.lock`]);
  try {
    return await work();
  } finally {
    await release();
  }
}
