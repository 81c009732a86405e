import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/**
 * Starts programs from a small process beside the agent. Forking copies the page tables of the parent: for an agent
 * with 200 MB this takes 5 to 20 ms, during which the agent is blocked. For this Perl process it takes 0.3 ms.
 *
 * Frames in both directions: length, kind, number of the launch, content. `S` starts, `K` sends a signal, `C` closes
 * standard input. `O` and `X` are stdout and stderr. `E` is the end, sent once the program and its output have ended
 * (for a killed program: once the program has ended, because its descendants may keep the output open). The launcher
 * ends when its standard input closes, so it ends with the agent, however that ends. The standard input of every
 * program that it started closes with it.
 */
export const LAUNCHER = String.raw`
use strict;
use POSIX ();
$SIG{PIPE} = $SIG{INT} = 'IGNORE';
my ($received, %launches, %reads, %writes) = ('');

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
  my $pid = $ready ? fork : undef;
  my $launch = $launches{$id} = { id => $id };
  if (!defined $pid) {
    answer('X', $id, "no process can be made: $!\n");
    return tell_end($launch, 127 << 8);
  }
  become($cwd, $argv, $variables, $in, $to_out, $to_err) if $pid == 0;
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

sub become {
  my ($cwd, $argv, $variables, @handles) = @_;
  eval {
    defined POSIX::dup2(fileno $handles[$_], $_) or die "$!\n" for 0 .. 2;
    chdir $cwd or die "cannot enter $cwd: $!\n";
    %ENV = map { split /=/, $_, 2 } unpack '(N/a*)*', $variables;
    $SIG{PIPE} = $SIG{INT} = 'DEFAULT';
    my @words = unpack '(N/a*)*', $argv;
    exec { $words[0] } @words or die "cannot start $words[0]: $!\n";
  };
  syswrite STDERR, $@;
  POSIX::_exit(127);
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
  next if select($readable, $writable, undef, @ending ? 0.002 : undef) < 0;

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
`;

/** A running LAUNCHER. */
export interface LauncherProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<unknown>;
  ref(): void;
  unref(): void;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Content of standard input. `open`: empty, and open until it is closed. */
  readonly input: 'none' | 'open' | { readonly text: string };
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

export interface Launched {
  /** Never rejects. Without an exit code and a signal, the program could not be started or the launcher has ended. */
  readonly ended: Promise<Ending>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  closeInput(): void;
}

interface Ending {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly cause?: Error;
}

interface Underway {
  readonly onOutput: Launch['onOutput'];
  readonly settle: (ending: Ending) => void;
}

const HEADER_BYTES = 9;
/** The launcher is ended after this time without a running program. */
const IDLE_MS = 10_000;
const INPUT_MODES = { none: 0, text: 1, open: 2 } as const;

/** Keeps one launcher process while programs run, and for a while after. Replaces a launcher that has ended. */
export class Launcher {
  readonly #start: () => LauncherProcess;
  readonly #underway = new Map<number, Underway>();
  #process: LauncherProcess | undefined;
  #received: Buffer = Buffer.alloc(0);
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: () => LauncherProcess) {
    this.#start = start;
  }

  launch(launch: Launch): Launched {
    this.#lastId = (this.#lastId % 0xffff_fffe) + 1;
    const id = this.#lastId;
    this.#process ??= this.#begin();
    const ended = new Promise<Ending>((resolve) => {
      this.#underway.set(id, { onOutput: launch.onOutput, settle: resolve });
    });
    clearTimeout(this.#idle);
    this.#process.ref();
    this.#tell('S', id, contentOf(launch));
    return {
      ended,
      kill: (signal) => {
        const content = Buffer.alloc(4);
        content.writeUInt32BE(constants.signals[signal]);
        if (this.#underway.has(id)) this.#tell('K', id, content);
      },
      closeInput: () => {
        if (this.#underway.has(id)) this.#tell('C', id, Buffer.alloc(0));
      },
    };
  }

  #begin(): LauncherProcess {
    const begun = this.#start();
    this.#received = Buffer.alloc(0);
    // Writes to an ended launcher are ignored: its end is reported separately.
    begun.stdin.on('error', () => {});
    begun.stdout.on('error', () => {});
    begun.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    void begun.ended.then(() => this.#lost(begun));
    return begun;
  }

  #tell(kind: 'S' | 'K' | 'C', id: number, content: Buffer): void {
    this.#process?.stdin.write(Buffer.concat([headerOf(kind, id, content.length), content]));
  }

  #take(chunk: Buffer): void {
    let received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (received.length >= 4) {
      const end = 4 + received.readUInt32BE(0);
      if (received.length < end) break;
      this.#hear(
        received.toString('latin1', 4, 5),
        received.readUInt32BE(5),
        received.subarray(HEADER_BYTES, end),
      );
      received = received.subarray(end);
    }
    this.#received = received;
  }

  #hear(kind: string, id: number, content: Buffer): void {
    const underway = this.#underway.get(id);
    if (underway === undefined) return;
    if (kind !== 'E') {
      underway.onOutput(kind === 'O' ? 'stdout' : 'stderr', content);
      return;
    }
    this.#underway.delete(id);
    if (this.#underway.size === 0) this.#rest();
    underway.settle(endingOf(content.readUInt32BE(0)));
  }

  /** No program is running: lets the agent's process exit, and ends the launcher after the idle time. */
  #rest(): void {
    const resting = this.#process;
    resting?.unref();
    this.#idle = setTimeout(() => {
      this.#process = undefined;
      resting?.stdin.end();
    }, IDLE_MS).unref();
  }

  #lost(process: LauncherProcess): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    const cause = new Error('The launcher process, which starts programs, has ended.');
    for (const { settle } of this.#underway.values()) settle({ cause });
    this.#underway.clear();
  }
}

function headerOf(kind: string, id: number, contentBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(contentBytes + HEADER_BYTES - 4, 0);
  header.write(kind, 4, 'latin1');
  header.writeUInt32BE(id, 5);
  return header;
}

function contentOf({ argv, environment, cwd, input }: Launch): Buffer {
  const text = typeof input === 'object' ? input.text : '';
  const mode = typeof input === 'object' ? INPUT_MODES.text : INPUT_MODES[input];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return Buffer.concat([
    Buffer.of(mode),
    measured(Buffer.from(cwd)),
    measured(Buffer.concat(argv.map((word) => measured(Buffer.from(word))))),
    measured(Buffer.concat(variables.map((variable) => measured(Buffer.from(variable))))),
    measured(Buffer.from(text)),
  ]);
}

function measured(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Decodes the status of wait(2). */
function endingOf(status: number): Ending {
  const signal = status & 0x7f;
  if (signal === 0) return { exitCode: status >> 8 };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { signal: name ?? `signal ${signal}` };
}
