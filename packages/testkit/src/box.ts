import { stat } from 'node:fs/promises';
import { attachTerminal, type BoxExecOptions, execInBox, fileStream, folderStream } from './box-exec.ts';
import type { ProgramResult } from './program.ts';

/**
 * A hosting server on this machine: a system container with real systemd, in its own network namespace,
 * on the bridge of its state folder. It has the packages that box-rootfs.ts lists and nothing of Innkeeper's.
 *
 * ```ts
 * const boxes = await openBoxes(await mountStateDir('.run-test/mine'));
 * const box = await boxes.start('web1');
 * const { stdout, exitCode } = await box.exec(['id', '-u', 'www-data']);
 * await box.require(['systemctl', 'start', 'cron']);      // throws unless it ends with 0
 * await box.writeFile('/etc/motd', 'hello\n', { mode: 0o644 });
 * await box.copyIn('dist', '/root/dist');
 * await fetch(`http://${box.address}/`);
 * await boxes.remove('web1');
 * ```
 */
export interface Box {
  readonly name: string;
  /** Its IPv4 address, which this machine and the other boxes of the state folder reach. */
  readonly address: string;
  /**
   * Runs a command in the box as root, outside every unit and slice. `argv` is a program and its
   * arguments, never a shell line. Any exit code is a result; rejects when it does not end in time.
   */
  exec(argv: readonly string[], options?: BoxExecOptions): Promise<ProgramResult>;
  /** As `exec`, but rejects unless the command ends with 0. Gives its standard output. */
  require(argv: readonly string[], options?: BoxExecOptions): Promise<string>;
  /** Runs a command on the terminal of this process and gives its exit code. */
  attach(argv: readonly string[]): Promise<number>;
  /** The content of a file; rejects when there is none. */
  readFile(path: string): Promise<string>;
  /** Writes a file owned by root, with its folders. */
  writeFile(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Copies a file or a folder of the host to `boxPath`, which becomes its name in the box. Modes are kept,
   * the owner is root. What is in a folder of that name stays unless it is overwritten.
   */
  copyIn(hostPath: string, boxPath: string): Promise<void>;
}

/** Takes a mode and a path; the content comes on standard input. */
const WRITE_FILE = [
  'sh',
  '-ec',
  'mkdir -p -- "$(dirname -- "$2")"; (umask 077; cat > "$2"); chmod -- "$1" "$2"',
  'write-file',
];

export function createBox(boxesDir: string, name: string, address: string): Box {
  const box: Box = {
    name,
    address,
    exec: (argv, options) => execInBox(boxesDir, name, argv, options),
    require: async (argv, options) => {
      const result = await box.exec(argv, options);
      if (result.exitCode !== 0) {
        const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-10).join('\n');
        throw new Error(`${name}: ${argv.join(' ')} ended with exit code ${result.exitCode}: ${said}`);
      }
      return result.stdout;
    },
    attach: (argv) => attachTerminal(boxesDir, name, argv),
    readFile: (path) => box.require(['cat', '--', path]),
    writeFile: async (path, content, { mode = 0o644 } = {}) => {
      await box.require([...WRITE_FILE, mode.toString(8), path], { input: content });
    },
    copyIn: async (hostPath, boxPath) => {
      if ((await stat(hostPath)).isDirectory()) {
        await box.require(['mkdir', '-p', '--', boxPath]);
        const argv = ['tar', '-C', boxPath, '-xf', '-', '--strip-components=1', '--no-same-owner'];
        await box.require(argv, { input: folderStream(hostPath), timeoutMs: 120_000 });
        return;
      }
      const mode = ((await stat(hostPath)).mode & 0o7777).toString(8);
      await box.require([...WRITE_FILE, mode, boxPath], { input: fileStream(hostPath), timeoutMs: 120_000 });
    },
  };
  return box;
}
