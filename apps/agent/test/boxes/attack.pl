# SEED CANARIES WAY...: everything that a tenant with a shell can do to obstruct root, until it is stopped, with one process for
# each way. It exchanges folders and files of its home for links, FIFOs and hard links to root-owned files. It creates stages in
# shared folders, with files named like root's. Its own mount namespace has other mounts. It stops and traces the agent's children.
# The result of each way is in `~/attack-<way>`. System calls without a Perl function are called by number (x86_64).
use strict;
use constant { UNSHARE => 272, MOUNT => 165, PTRACE => 101, RENAMEAT2 => 316 };
use POSIX ();
my ($seed, $canaries, @wanted) = @ARGV;
my $home = (getpwuid $<)[7];
my @targets = ($canaries, '/etc', '/root', '/home', '/var/lib/innkeeper/agent', '/home/resident');
my @shared = qw(/run/lock /tmp /var/tmp /dev/shm /dev/mqueue);
my %ways = (links => \&links, fifos => \&fifos, hardlinks => \&hard_links, mounts => \&mounts, stages => \&stages,
  signals => \&signals, traces => \&traces);
my %counts;

$SIG{$_} = 'IGNORE' for qw(HUP INT TERM QUIT PIPE);
for my $way (@wanted) {
  next if (fork // die "no process: $!\n");
  srand $seed + ord($way) * length $way;
  chdir $home;
  for (my $turn = 1; ; $turn++) {
    eval { $ways{$way}->($way); 1 };
    note($way) if $turn % 20 == 1 || ($counts{$way} // 0) == 1;
    pause(0.005);
  }
}
pause(60) while 1;

sub pause { select undef, undef, undef, $_[0] }

sub pick { $_[rand @_] }

sub note {
  my ($way) = @_;
  # In one step, because a reader may come while the slice's CPU limit has this process wait.
  open my $file, '>', "$home/.attack-note-$way" or return;
  print $file join(' ', map { "$_=$counts{$_}" } sort keys %counts), "\n";
  close $file;
  rename "$home/.attack-note-$way", "$home/attack-$way";
}

# Where the agent and its children go.
sub places {
  return grep { !/attack-/ } (glob("$home/* $home/.php $home/.php/* $home/domains/* $home/domains/*/*"),
    glob("$home/apps/* $home/apps/*/* $home/apps/*/.*[a-z]* $home/apps/*/releases/* $home/logs/*"));
}

# Files among them. Other ways leave something else where they were, so that some are made again.
sub file_places {
  my @files = grep { -f } places();
  return @files if @files;
  for my $name (qw(index.html logs/error.log logs/app-1-build.log)) {
    open my $file, '>', "$home/.attack-file" or next;
    close $file;
    rename "$home/.attack-file", "$home/$name";
  }
  return grep { -f } places();
}

# Puts something in a place for a moment, or for good.
sub swap {
  my ($place, $thing, $way) = @_;
  $counts{$way}++ if exchange($place, $thing);
  pause(rand 0.02);
  exchange($place, $thing) if rand > 0.05;
}

sub links {
  my ($way) = @_;
  my $thing = "$home/.attack-link-" . int rand 1e9;
  symlink pick(@targets), $thing or return;
  my $place = pick(places());
  swap($place, $thing, $way) if defined $place;
  unlink $thing;
}

sub fifos {
  my ($way) = @_;
  my $thing = "$home/.attack-fifo-" . int rand 1e9;
  POSIX::mkfifo($thing, 0666) or return;
  my $place = pick(file_places());
  swap($place, $thing, $way) if defined $place;
  unlink $thing;
}

sub hard_links {
  my ($way) = @_;
  my $thing = "$home/.attack-hard-" . int rand 1e9;
  if (!link pick('/home/.innkeeper-canary', '/home/.innkeeper-canaries/x', '/etc/passwd'), $thing) {
    $counts{forbidden}++;
    return;
  }
  my $place = pick(file_places());
  swap($place, $thing, $way) if defined $place;
  unlink $thing;
}

sub mounts {
  my ($way) = @_;
  if (!$counts{inside}) {
    my $uid = $<;
    if (syscall(UNSHARE, 0x10000000 | 0x20000) != 0) {
      $counts{forbidden}++;
      return pause(1);
    }
    for (['setgroups', 'deny'], ['uid_map', "0 $uid 1"], ['gid_map', "0 $uid 1"]) {
      open my $map, '>', "/proc/self/$_->[0]" or next;
      syswrite $map, $_->[1];
    }
    $counts{inside} = 1;
  }
  my $place = pick(grep { -d } places()) // return;
  my @words = rand > 0.5 ? ('none', $place, 'tmpfs', 0) : ('/etc', $place, 'none', 4096 | 16384);
  my ($source, $target, $kind, $flags) = ("$words[0]\0", "$words[1]\0", "$words[2]\0", $words[3]);
  $counts{$way}++ if syscall(MOUNT, $source, $target, $kind, $flags, 0) == 0;
}

# Folders of one's own that others may write to, and files in those of others.
sub stages {
  my ($way) = @_;
  my $stage = pick(@shared) . "/stage-$<";
  mkdir $stage;
  chmod 0755, $stage;
  symlink pick(@targets), "$stage/link";
  mkdir "$stage/d";
  chmod pick(0777, 0777, 0700), "$stage/d";
  $counts{$way}++ if exchange("$stage/d", "$stage/link");
  exchange("$stage/d", "$stage/link") if -l "$stage/d";
  for my $folder (map { glob "$_/stage-*/{d,link}" } @shared) {
    next if -l $folder;
    open my $file, '>', "$folder/x";
    open $file, '>', "$folder/innkeeper-canary";
  }
}

sub children {
  my @found;
  for my $process (glob '/proc/[0-9]*') {
    my ($pid) = $process =~ /(\d+)$/;
    next if (stat $process)[4] != $<;
    open my $cgroup, '<', "$process/cgroup" or next;
    local $/;
    push @found, $pid if <$cgroup> =~ /innkeeper-agent|innkeeper-task/;
  }
  return @found;
}

sub signals {
  my ($way) = @_;
  for my $pid (children()) { $counts{$way}++ if kill 'STOP', $pid }
}

sub traces {
  my ($way) = @_;
  for my $pid (children()) { $counts{$way}++ if syscall(PTRACE, 16, $pid, 0, 0) == 0 }
}

# Exchanges two entries at once.
sub exchange {
  my ($one, $other) = map { "$_\0" } @_;
  return syscall(RENAMEAT2, -100, $one, -100, $other, 2) == 0;
}
