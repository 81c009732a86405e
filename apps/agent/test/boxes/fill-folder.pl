# FOLDER FILE: enters the folder as soon as it can and writes `inside` to the file, then adds entries to the folder by its handle alone, never by a
# path, until it is stopped.
use strict;
select undef, undef, undef, 0.001 until chdir $ARGV[0];
open my $said, '>', $ARGV[1];
syswrite $said, "inside\n";
for (my $count = 0; ; $count++) {
  mkdir "d$count" or select undef, undef, undef, 0.01;
  rename "d$count", "moved";
  symlink '/etc', "l$count" or $count = 0;
}
