import { join } from 'node:path';
import { startDaemon, stopDaemon } from '../processes/daemon.ts';

/**
 * Records the command line of every program that starts on this machine, including in boxes, once each. The kernel
 * reports each start (process connector); a program that ends at once may be missed. Programs that a test starts itself
 * are excluded: the programs of the test run, and those that it runs in a box (`lxc-attach`), because a test may pass a
 * password to a client in an argument.
 */
const WATCH = String.raw`
use strict;
use Socket;
my ($runner) = @ARGV;
$| = 1;
my ($NETLINK, $CONNECTOR, $DONE, $PROC, $LISTEN, $EXEC, $RCVBUFFORCE) = (16, 11, 3, 1, 1, 2, 33);
socket my $events, $NETLINK, SOCK_DGRAM, $CONNECTOR or die "no process connector: $!\n";
setsockopt $events, SOL_SOCKET, $RCVBUFFORCE, 8 << 20;
bind $events, pack 'S S L L', $NETLINK, 0, $$, $PROC or die "cannot listen to the process connector: $!\n";
my $ask = pack 'L L L L S S L', $PROC, 1, 0, 0, 4, 0, $LISTEN;
send $events, pack('L S S L L', 16 + length $ask, $DONE, 0, 0, $$) . $ask, 0 or die "cannot ask: $!\n";

sub text_of { open my $file, '<', $_[0] or return; local $/; scalar <$file> }

sub is_of_a_test {
  for (my $pid = $_[0]; $pid > 1;) {
    return 1 if $pid == $runner;
    my $stat = text_of("/proc/$pid/stat") // return 0;
    my ($name, $parent) = $stat =~ /\((.*)\) \S (\d+)/s or return 0;
    return 1 if $name eq 'lxc-attach';
    $pid = $parent;
  }
  return 0;
}

my %seen;
while (1) {
  defined recv $events, my $event, 8192, 0 or next;
  my ($what, $pid) = unpack 'x36 L x12 L', $event;
  next unless $what == $EXEC;
  my $words = text_of("/proc/$pid/cmdline");
  next if !defined $words || $words eq '' || $seen{$words} || is_of_a_test($pid);
  $seen{$words} = 1;
  $words =~ s/\0/ /g;
  $words =~ s/\n/\\n/g;
  print "$words\n";
}
`;

const NAME = 'argv-watch';

function argvLog(stateDir: string): string {
  return join(stateDir, 'log/argv-watch.log');
}

export async function startArgvWatch(stateDir: string): Promise<void> {
  await startDaemon({
    recordDir: join(stateDir, 'pids'),
    name: NAME,
    argv: ['/usr/bin/perl', '-e', WATCH, `${process.pid}`],
    logFile: argvLog(stateDir),
  });
}

export async function stopArgvWatch(stateDir: string): Promise<void> {
  await stopDaemon(join(stateDir, 'pids'), NAME);
}
