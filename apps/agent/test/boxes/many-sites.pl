# Usage: many-sites.pl make N | change N SECONDS PER_SECOND
# Makes sites in the folder that nginx looks names up in, or changes them as the agent does: one rename each.
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my ($what, $count, $seconds, $rate) = @ARGV;
chdir '/etc/innkeeper/sites' or die "chdir: $!";

sub set {
  my ($at, $kind) = @_;
  my $target = join ',', 100_000 + $at, $kind, "many$at", '', '', '';
  -d $target or mkdir $target, 0700 or die "mkdir: $!";
  symlink $target, '.next-many' or die "symlink: $!";
  rename '.next-many', "many$at.example.com" or die "rename: $!";
}

if ($what eq 'make') {
  set($_, 'php') for 1 .. $count;
} else {
  my $begun = time;
  my $made = 0;
  while (time < $begun + $seconds) {
    set(1 + $made % $count, int($made / $count) % 2 == 0 ? 'suspended' : 'php');
    $made += 1;
    my $early = $begun + $made / $rate - time;
    sleep $early if $early > 0;
  }
  print $made;
}
