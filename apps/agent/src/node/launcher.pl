# Starts programs for the agent (launcher.ts).
#
# Frames in both directions: length, kind, number of the launch, content. `S` starts, `K` sends a signal, `C` closes standard input.
# `O` and `X` are stdout and stderr. `E` is the end, sent once the program and its output have ended (for a killed program: once the
# program has ended, because its descendants may keep the output open). The launcher ends when its standard input closes, so it ends
# with the agent, however that ends. The standard input of every program that it started closes with it.
#
# A Perl program of the agent (`/usr/bin/perl -e CODE`) runs in a fork of this process, without an exec: the code is compiled here
# once, and starting perl would take ten times as long as the fork. Other programs, and perl with other options, are executed.
use strict;
use POSIX ();
$SIG{PIPE} = $SIG{INT} = 'IGNORE';
# Interrupts only select, so that the end of a program is seen at once. `safe`: the handler runs between two operations of Perl.
my $ended = POSIX::SigAction->new(sub {}, POSIX::SigSet->new, POSIX::SA_RESTART());
$ended->safe(1);
POSIX::sigaction(POSIX::SIGCHLD(), $ended);
my ($received, %launches, %reads, %writes, %compiled) = ('');

sub tell_end { answer('E', $_[0]{id}, pack('N', $_[1])); delete $launches{$_[0]{id}} }

sub answer {
  my ($kind, $id, $content) = @_;
  my $frame = pack('N a1 N a*', 5 + length $content, $kind, $id, $content);
  while (length $frame) {
    my $written = syswrite STDOUT, $frame;
    exit unless defined $written;
    substr($frame, 0, $written) = '';
  }
}

sub start {
  my ($id, $content) = @_;
  my ($has_input, $cwd, $argv, $variables, $input) = unpack 'C N/a* N/a* N/a* N/a*', $content;
  my ($in, $feed, $out, $to_out, $err, $to_err);
  my $ready = pipe($out, $to_out) && pipe($err, $to_err)
    && ($has_input ? pipe($in, $feed) : open($in, '<', '/dev/null'));
  my @words = unpack '(N/a*)*', $argv;
  my $perl = "@words[0, 1]" eq '/usr/bin/perl -e' ? compiled($words[2]) : undef;
  my $pid = $ready ? fork : undef;
  my $launch = $launches{$id} = { id => $id };
  if (!defined $pid) {
    answer('X', $id, "no process can be made: $!\n");
    return tell_end($launch, 127 << 8);
  }
  if ($pid == 0) {
    become($cwd, $variables, $in, $to_out, $to_err);
    close $_ for $in, $to_out, $to_err, $out, $err, $feed // ();
    $perl ? run_perl($perl, @words[3 .. $#words]) : execute(@words);
  }
  $launch->{pid} = $pid;
  $launch->{open} = 2;
  $reads{fileno $out} = [$launch, 'O', $out];
  $reads{fileno $err} = [$launch, 'X', $err];
  if ($has_input) {
    $feed->blocking(0);
    $launch->{feed} = $feed;
    $writes{fileno $feed} = [$launch, $input, $has_input == 1] if length $input || $has_input == 1;
  }
}

# In the new process: its descriptors, folder, environment and signals.
sub become {
  my ($cwd, $variables, @handles) = @_;
  eval {
    defined POSIX::dup2(fileno $handles[$_], $_) or die "$!\n" for 0 .. 2;
    chdir $cwd or die "cannot enter $cwd: $!\n";
    %ENV = map { split /=/, $_, 2 } unpack '(N/a*)*', $variables;
    $SIG{PIPE} = $SIG{INT} = $SIG{CHLD} = 'DEFAULT';
    1;
  } or fail($@);
}

sub execute {
  my @words = @_;
  exec { $words[0] } @words or fail("cannot start $words[0]: $!\n");
}

# Descriptors of other programs are closed: what an exec does for the others.
sub run_perl {
  my ($program, @arguments) = @_;
  close $_->[2] for values %reads;
  close $_ for map { $_->{feed} // () } values %launches;
  @ARGV = @arguments;
  shift @ARGV if @ARGV && $ARGV[0] eq '--';
  eval { $program->(); close STDOUT or die "standard output: $!\n" } or fail($@, 255);
  POSIX::_exit(0);
}

sub fail {
  my ($why, $code) = @_;
  syswrite STDERR, $why;
  POSIX::_exit($code // 127);
}

# A named sub in a package of its own: named subs of the program share its variables with the first call, and each fork makes one.
# A program that cannot be compiled is executed, so that perl says why.
sub compiled {
  my ($code) = @_;
  my $package = 'Program' . keys %compiled;
  $compiled{$code} //= eval "package $package; sub program {\n$code\n}\n1" ? $package->can('program') : 0;
  return $compiled{$code} || undef;
}

sub close_input {
  my $feed = delete $_[0]{feed} or return;
  delete $writes{fileno $feed};
  close $feed;
}

sub take {
  my ($kind, $id, $content) = @_;
  return start($id, $content) if $kind eq 'S';
  my $launch = $launches{$id} or return;
  return close_input($launch) if $kind eq 'C';
  $launch->{killed} = 1;
  kill unpack('N', $content), $launch->{pid};
}

for (;;) {
  my ($readable, $writable) = ('', '');
  vec($readable, $_, 1) = 1 for 0, keys %reads;
  vec($writable, $_, 1) = 1 for keys %writes;
  my @ending = grep { !$_->{open} || $_->{killed} } values %launches;
  ($readable, $writable) = ('', '') if select($readable, $writable, undef, @ending ? 0.002 : undef) < 0;

  for my $fd (grep { vec($writable, $_, 1) } keys %writes) {
    my $write = $writes{$fd} or next;
    my $written = length $write->[1] ? syswrite($write->[0]{feed}, $write->[1]) : 0;
    if (!defined $written) { close_input($write->[0]) unless $!{EAGAIN}; next }
    substr($write->[1], 0, $written) = '';
    next if length $write->[1];
    if ($write->[2]) { close_input($write->[0]) } else { delete $writes{$fd} }
  }
  for my $fd (grep { vec($readable, $_, 1) } keys %reads) {
    my ($launch, $kind, $handle) = @{$reads{$fd} or next};
    my $got = sysread $handle, my $piece, 65536;
    if ($got) { answer($kind, $launch->{id}, $piece); next }
    delete $reads{$fd};
    close $handle;
    $launch->{open}--;
  }
  for my $launch (grep { !$_->{open} || $_->{killed} } values %launches) {
    next if waitpid($launch->{pid}, POSIX::WNOHANG()) == 0;
    my $status = $?;
    close_input($launch);
    for my $fd (grep { $reads{$_}[0] == $launch } keys %reads) {
      my (undef, $kind, $handle) = @{delete $reads{$fd}};
      $handle->blocking(0);
      my $piece;
      answer($kind, $launch->{id}, $piece) while sysread $handle, $piece, 65536;
      close $handle;
    }
    tell_end($launch, $status);
  }
  if (vec($readable, 0, 1)) {
    sysread(STDIN, $received, 65536, length $received) or exit;
    while (length $received >= 4) {
      my $length = unpack 'N', $received;
      last if length $received < 4 + $length;
      my (undef, $kind, $id) = unpack 'N a1 N', $received;
      my $content = substr $received, 9, $length - 5;
      substr($received, 0, 4 + $length) = '';
      take($kind, $id, $content);
    }
  }
}
