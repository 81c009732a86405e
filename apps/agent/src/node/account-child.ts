import { WELCOME_FILE } from './app-folder.ts';
import type { Exec, RunOptions, RunResult } from './exec.ts';
import { assertAccountUid } from './owner.ts';

/**
 * Runs work below a home or in a shared folder with the rights of an account, in a child process that the account can
 * neither signal nor trace (docs/design/host-security.md).
 *
 * Only the effective uid and gid are the account's. Real and saved uid stay root's, and the kernel checks those when a
 * process sends a signal or attaches. An executed program would lose that protection: exec sets the saved uid to the
 * effective uid. So the child runs only this code, and no tenant code.
 *
 * `kill` signals every process that its real or effective uid may signal, so its real uid is a uid that no user has.
 * Where a container has no such uid, the real uid is the account's.
 */
const CHILD = String.raw`
use strict;
use Fcntl qw(:DEFAULT :mode);
use constant NAMES_AT_ONCE => 10_000;
umask 0;
my ($uid, $job, @words) = @ARGV;
my $nobodys = 2**31 + $uid;
if ($job eq 'kill') { $< = $nobodys; $< = $uid unless $< == $nobodys }
$) = "$uid $uid";
$> = $uid;
die "cannot become $uid\n" unless $uid && $> == $uid && $) =~ /^$uid( $uid)*$/ && ($< == 0 || $job eq 'kill');

my %jobs = (
  # Of all processes of the uid, in one call.
  kill => sub { kill 'KILL', -1 },

  folders => sub {
    my ($mode, @paths) = @_;
    for my $path (@paths) { make($path, oct $mode) }
  },

  page => sub {
    my ($path, $source, @parents) = @_;
    my $fresh = "$path.innkeeper-new";
    return if lstat $path;
    for my $folder (@parents, $fresh) { make($folder, 0755) }
    open my $from, '<:raw', $source or die "$source: $!\n";
    my $page = do { local $/; <$from> };
    unlink "$fresh/${WELCOME_FILE}";
    sysopen my $to, "$fresh/${WELCOME_FILE}", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, (stat $from)[2] & 0777
      or die "$fresh/${WELCOME_FILE}: $!\n";
    print $to $page;
    close $to or die "$fresh/${WELCOME_FILE}: $!\n";
    rename $fresh, $path or die "$path: $!\n";
  },

  # The last bytes of each that is a file. Waits neither for a pipe nor for a lease.
  end => sub {
    my ($bytes, @paths) = @_;
    for my $path (@paths) {
      sysopen my $file, $path, O_RDONLY | O_NONBLOCK | O_NOCTTY or next;
      next unless -f $file;
      my $size = -s _;
      sysseek $file, $size > $bytes ? $size - $bytes : 0, 0;
      my $left = $bytes;
      while ($left > 0 && (my $got = sysread $file, my $piece, $left < 65536 ? $left : 65536)) {
        print $piece;
        $left -= $got;
      }
    }
  },

  ipc => sub {
    my ($kind, $id) = @_;
    if ($kind eq 'shm') { shmctl $id, 0, 0 }
    elsif ($kind eq 'sem') { semctl $id, 0, 0, 0 }
    else { msgctl $id, 0, 0 }
  },

  # What is left is no failure.
  empty => sub { my ($path) = @_; empty($path, 0) if lstat $path && -d _ },
  remove => sub { remove($_, 0) for @_ },
  'remove-own' => sub { remove($_, 1) for @_ },
);

$jobs{$job}->(@words);

sub make {
  my ($path, $mode) = @_;
  return if mkdir $path, $mode;
  my $why = $!;
  -d $path or die "$path: $why\n";
}

sub remove {
  my ($path, $only_own) = @_;
  my @entry = lstat $path or return;
  return empty_own_file($path, $only_own, \@entry) unless S_ISDIR($entry[2]);
  empty($path, $only_own);
  rmdir $path unless $only_own && $entry[4] != $uid;
}

sub empty_own_file {
  my ($path, $only_own, $entry) = @_;
  return !($only_own && $entry->[4] != $uid) && unlink $path;
}

# Everything below a folder, on its file system; folders that the account has closed are opened. Goes down and up one
# step at a time and ends when it is not where it thinks it is: somebody has moved the folder that it was in.
sub empty {
  my ($path, $only_own) = @_;
  my @top = lstat $path or return;
  my $below = step_into($path, \@top) or return;
  my @folders = ($below);
  while (@folders) {
    my $folder = $folders[-1];
    read_names($folder) unless $folder->{names};
    my $name = shift @{$folder->{names}};
    if (defined $name) {
      my @entry = lstat $name or next;
      next if $entry[0] != $top[0];
      if (!S_ISDIR($entry[2])) { $folder->{removed}++ if empty_own_file($name, $only_own, \@entry) }
      elsif (my $inner = step_into($name, \@entry)) {
        $inner->{name} = $name unless $only_own && $entry[4] != $uid;
        push @folders, $inner;
      }
      elsif (rmdir $name) { $folder->{removed}++ }
      next;
    }
    if ($folder->{more} && $folder->{removed}) { delete @$folder{qw(names removed)}; next }
    pop @folders;
    last unless @folders;
    chdir '..' or last;
    my @here = lstat '.' or last;
    last unless "@here[0, 1]" eq $folders[-1]{place};
    $folders[-1]{removed}++ if defined $folder->{name} && rmdir $folder->{name};
  }
  chdir '/';
}

sub step_into {
  my ($name, $entry) = @_;
  chmod $entry->[2] & 07777 | 0700, $name if $entry->[4] == $uid && ($entry->[2] & 0700) != 0700;
  chdir $name or return;
  my @here = lstat '.' or die "$name cannot be entered\n";
  die "$name was exchanged\n" unless "@here[0, 1]" eq "@$entry[0, 1]";
  return { place => "@here[0, 1]" };
}

sub read_names {
  my ($folder) = @_;
  my @names;
  if (opendir my $handle, '.') {
    while (@names < NAMES_AT_ONCE && defined(my $name = readdir $handle)) {
      push @names, $name unless $name eq '.' || $name eq '..';
    }
  }
  $folder->{names} = \@names;
  $folder->{more} = @names == NAMES_AT_ONCE;
}
`;

const REMOVAL_TIMEOUT_MS = 600_000;
const PATHS_AT_ONCE = 400;

/** Paths are absolute and built by the agent. The account may have put links in the folders on the way to them. */
export class AccountChild {
  readonly #exec: Exec;

  constructor(exec: Exec) {
    this.#exec = exec;
  }

  /** Sends SIGKILL to every process of the uid. */
  async kill(uid: number): Promise<void> {
    await this.#change(uid, ['kill'], { timeoutMs: 2_000 });
  }

  /** Creates folders. Each parent of a path must come before the path. An existing folder keeps its mode. */
  async createFolders(uid: number, paths: readonly string[], mode: '0700' | '0755'): Promise<void> {
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE)
      await this.#change(uid, ['folders', mode, ...paths.slice(from, from + PATHS_AT_ONCE)]);
  }

  /**
   * Creates a folder with one page in it, and its parents. The complete folder is moved to its place. An existing entry
   * is left alone.
   */
  async createPage(uid: number, path: string, source: string, parents: readonly string[]): Promise<void> {
    await this.#change(uid, ['page', path, source, ...parents]);
  }

  /** Returns the last bytes of each path that is a file, concatenated. */
  async readEnds(
    uid: number,
    paths: readonly string[],
    bytes: number,
    options: Pick<RunOptions, 'timeoutMs'> = {},
  ): Promise<string> {
    return (await this.#run(uid, ['end', `${bytes}`, ...paths], options)).stdout;
  }

  /** Removes everything below a home that the account may remove. Remaining entries are not an error. */
  async empty(uid: number, home: string): Promise<void> {
    await this.#change(uid, ['empty', home], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Like `empty`, for a folder that only root can reach. */
  async emptyWithin(uid: number, folder: string): Promise<void> {
    await this.#change(uid, ['empty', '.'], { cwd: folder, timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes the paths with everything below them. Remaining entries are not an error. */
  async remove(uid: number, paths: readonly string[]): Promise<void> {
    await this.#change(uid, ['remove', ...paths], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes the path and what is below it, as far as the account owns it. Remaining entries are not an error. */
  async removeOwn(uid: number, path: string): Promise<void> {
    await this.#change(uid, ['remove-own', path], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes a System V IPC object. A missing object is not an error. */
  async removeIpc(uid: number, kind: 'shm' | 'sem' | 'msg', id: string): Promise<void> {
    await this.#change(uid, ['ipc', kind, id]);
  }

  async #run(uid: number, words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    assertAccountUid(uid);
    return await this.#exec.run('/usr/bin/perl', ['-e', CHILD, `${uid}`, ...words], options);
  }

  async #change(uid: number, words: readonly string[], options: RunOptions = {}): Promise<void> {
    assertAccountUid(uid);
    await this.#exec.change('/usr/bin/perl', ['-e', CHILD, `${uid}`, ...words], options);
  }
}
