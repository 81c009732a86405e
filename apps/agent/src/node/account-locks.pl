# PATH SECONDS: holds an fcntl lock on a file until its standard input closes. Prints `locked` once it has the lock; ends with an
# error when the lock is not free within the time.
use strict;
use Fcntl;
my ($path, $seconds) = @ARGV;
$SIG{ALRM} = sub { die "another program has held the lock for $seconds s\n" };
sysopen(my $file, $path, O_WRONLY | O_CREAT, 0600) or die "$!\n";
alarm $seconds;
my $lock = pack('s s x4 q q l x4', F_WRLCK, 0, 0, 0, 0);
fcntl($file, F_SETLKW, $lock) or die "$!\n";
alarm 0;
syswrite(STDOUT, "locked\n");
sysread(STDIN, my $end, 1);
