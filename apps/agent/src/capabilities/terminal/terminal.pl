# A terminal: a login shell on a pseudo terminal, behind standard input and output. Runs as an account, in its slice.
#
#   perl innkeeper-terminal.pl USER HOME COLUMNS ROWS
#
# Standard input has frames: a letter, the length of the content (32 bits, big endian), and the content.
#   d  bytes for the shell
#   s  new size: columns and rows, 16 bits each
#   a  somebody looks: the newest output is repeated, and what follows is written to standard output
#   x  nobody looks: output is only kept
# The end of standard input hangs up. The agent kills the unit then, so nothing of the session stays.
use strict;
use warnings;
use Fcntl qw(F_GETFL F_SETFL O_NOCTTY O_NONBLOCK O_RDWR);
use POSIX ();

# From the kernel's headers; the same on every architecture that Debian's kernel has but MIPS, PowerPC and SPARC.
use constant { TIOCSPTLCK => 0x40045431, TIOCGPTN => 0x80045430, TIOCSCTTY => 0x540E, TIOCSWINSZ => 0x5414 };
use constant { READ_BYTES => 65_536, KEPT_BYTES => 131_072, MAX_FRAME_BYTES => 1_048_576 };

my ($user, $home, $columns, $rows) = @ARGV;

sysopen my $master, '/dev/ptmx', O_RDWR | O_NOCTTY or die "/dev/ptmx: $!\n";
my $unlocked = pack 'i', 0;
ioctl $master, TIOCSPTLCK, $unlocked or die "unlock the terminal: $!\n";
my $number = pack 'I', 0;
ioctl $master, TIOCGPTN, $number or die "number of the terminal: $!\n";
my $tty = '/dev/pts/' . unpack 'I', $number;
resize($columns, $rows);

my $shell = fork // die "fork: $!\n";
run_shell() if $shell == 0;
my $has_ended = 0;
local $SIG{CHLD} = sub { $has_ended = 1 if waitpid($shell, POSIX::WNOHANG()) == $shell };
local $SIG{PIPE} = 'IGNORE';
fcntl $_, F_SETFL, (fcntl($_, F_GETFL, 0) | O_NONBLOCK) for $master, \*STDIN, \*STDOUT;

my ($typed, $received, $shown, $kept) = ('', '', '', '');
my ($is_watched, $is_open) = (1, 1);

while (1) {
  my ($readable, $writable) = ('', '');
  vec($readable, fileno STDIN, 1) = 1 if length $typed < READ_BYTES;
  # A shell that writes faster than somebody reads waits.
  vec($readable, fileno $master, 1) = 1 if $is_open && length $shown < READ_BYTES;
  vec($writable, fileno $master, 1) = 1 if $is_open && length $typed;
  vec($writable, fileno STDOUT, 1) = 1 if length $shown;
  last if !$is_open && !length $shown;
  # A shell can end and leave a program that still holds the terminal: then the session ends too.
  my $count = select $readable, $writable, undef, $has_ended ? 0.2 : 5;
  next if $count < 0;
  if ($count == 0) {
    $is_open = 0 if $has_ended;
    next;
  }

  if (vec $readable, fileno $master, 1) {
    my $bytes = sysread $master, my $output, READ_BYTES;
    # EIO: no process has the terminal open any more.
    if ($bytes) { show($output) }
    elsif (defined $bytes || !$!{EAGAIN} && !$!{EINTR}) { $is_open = 0 }
  }
  if (vec $writable, fileno $master, 1) {
    my $bytes = syswrite $master, $typed;
    if ($bytes) { substr $typed, 0, $bytes, '' }
    elsif (!$!{EAGAIN} && !$!{EINTR}) { $is_open = 0 }
  }
  if (vec $writable, fileno STDOUT, 1) {
    my $bytes = syswrite STDOUT, $shown;
    if ($bytes) { substr $shown, 0, $bytes, '' }
    elsif (!$!{EAGAIN} && !$!{EINTR}) { last }
  }
  if (vec $readable, fileno STDIN, 1) {
    my $bytes = sysread STDIN, $received, READ_BYTES, length $received;
    last if defined $bytes ? $bytes == 0 : !$!{EAGAIN} && !$!{EINTR};
    take_frames();
  }
}
# Closing the master hangs up: the kernel sends SIGHUP to the session.
close $master;
exit 0;

sub take_frames {
  while (length $received >= 5) {
    my ($kind, $length) = unpack 'aN', $received;
    die "a frame of $length bytes\n" if $length > MAX_FRAME_BYTES;
    last if length $received < 5 + $length;
    my $content = substr $received, 5, $length;
    substr $received, 0, 5 + $length, '';
    if ($kind eq 'd') { $typed .= $content }
    elsif ($kind eq 's') { resize(unpack 'nn', $content) }
    elsif ($kind eq 'a') { $is_watched = 1; $shown = "\ec$kept" }
    elsif ($kind eq 'x') { $is_watched = 0; $shown = '' }
  }
}

sub show {
  my ($output) = @_;
  $kept .= $output;
  # The oldest half goes at once, so that not every byte moves the rest.
  if (length $kept > 2 * KEPT_BYTES) {
    $kept = substr $kept, -KEPT_BYTES;
    $kept =~ s/\A[^\n]*\n//;
  }
  $shown .= $output if $is_watched;
}

sub resize {
  my $size = pack 'S4', $_[1], $_[0], 0, 0;
  ioctl $master, TIOCSWINSZ, $size;
}

sub run_shell {
  POSIX::setsid();
  sysopen my $slave, $tty, O_RDWR or die "$tty: $!\n";
  ioctl $slave, TIOCSCTTY, 0 or die "controlling terminal: $!\n";
  POSIX::dup2(fileno $slave, $_) for 0, 1, 2;
  POSIX::close($_) for 3 .. 15;
  chdir $home or chdir '/';
  %ENV = (
    HOME => $home, USER => $user, LOGNAME => $user, SHELL => '/bin/bash', TERM => 'xterm-256color', COLORTERM => 'truecolor',
    LANG => 'C.UTF-8', PATH => '/usr/local/bin:/usr/bin:/bin',
  );
  exec { '/bin/bash' } '-bash' or POSIX::_exit(127);
}
