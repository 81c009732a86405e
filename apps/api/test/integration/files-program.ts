import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, type Readable, type Writable } from 'node:stream';

/** The tests of integration start after the bundles are built. */
const PROGRAM = join(import.meta.dirname, '../../../../dist/innkeeper-files.mjs');

/**
 * The file program of an agent as a child process of the test, with the test's own user and a folder as the home. A channel is its standard
 * input and output.
 */
export class FilePrograms implements AsyncDisposable {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'innkeeper-files-')));
  readonly home = join(this.#folder, 'home');
  readonly running = new Set<ChildProcessByStdio<Writable, Readable, null>>();
  started = 0;

  constructor() {
    mkdirSync(this.home);
  }

  openChannel = async (): Promise<Duplex> => {
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: this.home,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.started += 1;
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    const channel = Duplex.from({ readable: child.stdout, writable: child.stdin });
    channel.once('close', () => child.kill());
    // The last answer of a killed program is an error of its pipe.
    child.stdin.on('error', () => channel.destroy());
    await once(child, 'spawn');
    return channel;
  };

  /** Serves a channel of a simulated node. */
  serve = async (channel: Duplex): Promise<void> => {
    const program = await this.openChannel();
    const end = () => {
      channel.destroy();
      program.destroy();
    };
    for (const one of [channel, program]) one.on('error', end).once('close', end);
    channel.pipe(program).pipe(channel);
  };

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.running) child.kill('SIGKILL');
    while (this.running.size > 0) await once([...this.running][0]!, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
