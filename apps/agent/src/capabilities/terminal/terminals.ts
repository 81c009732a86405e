import { PassThrough, Writable } from 'node:stream';
import type { TerminalSize } from '@innkeeper/protocol/wire';
import type { AccountProgram, AccountPrograms } from '../../node/account-programs.ts';
import type { Clock } from '../../node/clock.ts';
import type { Owner } from '../../node/owner.ts';
import type { OpenTerminal, Terminals } from './host.ts';

const PROGRAM = '/opt/innkeeper/agent/innkeeper-terminal.pl';
/** How long a session waits for its browser. */
export const KEPT_MS = 10 * 60_000;
export const SESSIONS_PER_ACCOUNT = 10;
/** Below the longest frame that terminal.pl takes. */
const MAX_FRAME_BYTES = 64 * 1024;

interface Session {
  readonly owner: Owner;
  readonly program: AccountProgram;
  /** Where the output goes. Undefined: nobody looks. */
  watcher: PassThrough | undefined;
  cancelEnd: () => void;
}

/** Sessions by account and name, over `terminal.pl`, which has the pseudo terminal and keeps the newest output. */
export class TerminalSessions implements Terminals {
  readonly #programs: Pick<AccountPrograms, 'start'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #sessions = new Map<string, Session>();

  constructor(programs: Pick<AccountPrograms, 'start'>, clock: Pick<Clock, 'after'>) {
    this.#programs = programs;
    this.#clock = clock;
  }

  async open(
    owner: Owner,
    { session: name, ...size }: { session: string } & TerminalSize,
  ): Promise<OpenTerminal | undefined> {
    const key = `${owner.uid} ${name}`;
    const running = this.#sessions.get(key);
    if (running !== undefined) return this.#watch(running, size);
    const own = [...this.#sessions.values()].filter((session) => session.owner.uid === owner.uid);
    if (own.length >= SESSIONS_PER_ACCOUNT) return undefined;
    const { columns, rows } = size;
    const home = `/home/${owner.name}`;
    const argv = ['/usr/bin/perl', PROGRAM, owner.name, home, `${columns}`, `${rows}`];
    const program = this.#programs.start(owner, argv);
    const session: Session = { owner, program, watcher: undefined, cancelEnd: () => {} };
    this.#sessions.set(key, session);
    void this.#follow(key, session);
    return this.#watch(session, undefined);
  }

  async endAll(owner: Owner): Promise<void> {
    const own = [...this.#sessions.values()].filter((session) => session.owner.uid === owner.uid);
    await Promise.all(own.map(({ program }) => program.kill()));
  }

  /** Passes the output on, or drops what nobody looks at: terminal.pl keeps the newest. */
  async #follow(key: string, session: Session): Promise<void> {
    const { output, input, ended } = session.program;
    input.on('error', () => {});
    output.on('error', () => {});
    output.on('data', (chunk: Buffer) => {
      const { watcher } = session;
      if (watcher === undefined || watcher.destroyed || watcher.write(chunk)) return;
      output.pause();
      const resume = () => output.resume();
      watcher.once('drain', resume).once('close', resume);
    });
    const { failure } = await ended;
    session.cancelEnd();
    this.#sessions.delete(key);
    if (failure === undefined) session.watcher?.end();
    else session.watcher?.destroy(new Error(failure));
  }

  /** `size`: of a session that was there. */
  #watch(session: Session, size: TerminalSize | undefined): OpenTerminal {
    const { program } = session;
    const watcher = new PassThrough();
    watcher.on('error', () => {});
    session.cancelEnd();
    session.watcher?.end();
    session.watcher = watcher;
    if (size !== undefined) {
      send(program, sizeFrame(size));
      send(program, frame('a'));
    }
    return {
      input: new Writable({
        write: (chunk: Buffer, _, done) => write(program, chunk, done),
        // The tab was closed: nobody comes back.
        final: (done) => void program.kill().then(() => done(), done),
      }),
      output: watcher,
      resize: (wanted) => send(program, sizeFrame(wanted)),
      release: async () => {
        watcher.destroy();
        // Somebody else has taken it over.
        if (session.watcher !== watcher) return;
        session.watcher = undefined;
        send(program, frame('x'));
        session.cancelEnd = this.#clock.after(KEPT_MS, () => void program.kill().catch(() => {}));
      },
    };
  }
}

/** Writes with backpressure: a shell that reads nothing stops whoever types. */
function write({ input }: AccountProgram, chunk: Buffer, done: (error?: Error | null) => void): void {
  const pieces: Buffer[] = [];
  for (let at = 0; at < chunk.length; at += MAX_FRAME_BYTES)
    pieces.push(frame('d', chunk.subarray(at, at + MAX_FRAME_BYTES)));
  input.write(Buffer.concat(pieces), (error) => done(error));
}

function send({ input }: AccountProgram, bytes: Buffer): void {
  if (input.writable) input.write(bytes);
}

function sizeFrame({ columns, rows }: TerminalSize): Buffer {
  const content = Buffer.alloc(4);
  content.writeUInt16BE(columns, 0);
  content.writeUInt16BE(rows, 2);
  return frame('s', content);
}

function frame(kind: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}
