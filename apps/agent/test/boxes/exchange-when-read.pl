# FOLDER LINK: waits until another process has read the folder, then exchanges it for the link. Prints `armed`, then `exchanged`.
# System calls without a Perl function are called by number (x86_64).
use strict;
use constant { INOTIFY_INIT1 => 294, INOTIFY_ADD_WATCH => 254, RENAMEAT2 => 316 };
$| = 1;
my ($folder, $link) = @ARGV;
my $watch = syscall(INOTIFY_INIT1, 0);
my $path = "$folder\0";
syscall(INOTIFY_ADD_WATCH, $watch, $path, 1) > 0 or die "no watch: $!\n";
open my $events, '<&=', $watch;
print "armed\n";
sysread $events, my $event, 4096;
print exchange($folder, $link) ? "exchanged\n" : "failed: $!\n";

# Exchanges two entries at once.
sub exchange {
  my ($one, $other) = map { "$_\0" } @_;
  return syscall(RENAMEAT2, -100, $one, -100, $other, 2) == 0;
}
