# UID JOB WORDS...: does one job below a home or in a shared folder with the effective uid and gid of an account.
# account-child.ts says why, and what protects this process.
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
    my ($path, $name, $source, @parents) = @_;
    my $fresh = "$path.innkeeper-new";
    return if lstat $path;
    for my $folder (@parents, $fresh) { make($folder, 0755) }
    open my $from, '<:raw', $source or die "$source: $!\n";
    my $page = do { local $/; <$from> };
    unlink "$fresh/$name";
    sysopen my $to, "$fresh/$name", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, (stat $from)[2] & 0777
      or die "$fresh/$name: $!\n";
    print $to $page;
    close $to or die "$fresh/$name: $!\n";
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
