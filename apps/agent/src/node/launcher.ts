import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** A running launcher.pl. */
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
  readonly resolve: (ending: Ending) => void;
}

const HEADER_BYTES = 9;
/** The launcher is ended after this time without a running program. */
const IDLE_MS = 10_000;
const INPUT_MODES = { none: 0, text: 1, open: 2 } as const;

/**
 * Starts programs from a small process beside the agent, launcher.pl. Forking copies the page tables of the parent: for
 * an agent with 200 MB this takes 5 to 20 ms, during which the agent is blocked. For the Perl process it takes 0.3 ms.
 *
 * Keeps one launcher process while programs run, and for a while after. Replaces a launcher that has ended.
 */
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
      this.#underway.set(id, { onOutput: launch.onOutput, resolve: resolve });
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
    underway.resolve(endingOf(content.readUInt32BE(0)));
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
    for (const { resolve } of this.#underway.values()) resolve({ cause });
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
