import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { waitUntil } from '../processes/wait-until.ts';
import type { GuestExec } from './guest-exec.ts';

/** A hosting server on this machine, whether a container (`Box`) or a machine of its own (`VirtualMachine`). */
export interface Guest {
  readonly name: string;
  /**
   * Runs a command in the guest as root. `argv` is a program and its arguments, never a shell line. Any exit
   * code is a result; rejects when it does not end in time.
   */
  readonly exec: GuestExec;
  /** As `exec`, but rejects unless the command ends with 0. Gives its standard output. */
  require(...args: Parameters<GuestExec>): Promise<string>;
  /** The content of a file; rejects when there is none. */
  readFile(path: string): Promise<string>;
  /** Writes a file owned by root, with its folders. */
  writeFile(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Copies a file or a folder of the host to `guestPath`, which becomes its name in the guest. Modes are kept,
   * the owner is root. What is in a folder of that name stays unless it is overwritten.
   */
  copyIn(hostPath: string, guestPath: string): Promise<void>;
}

/** Takes a mode and a path; the content comes on standard input. */
const WRITE_FILE = [
  'sh',
  '-ec',
  'mkdir -p -- "$(dirname -- "$2")"; (umask 077; cat > "$2"); chmod -- "$1" "$2"',
  'write-file',
];
const COPY_TIMEOUT_MS = 120_000;

export function createGuest(name: string, exec: GuestExec): Guest {
  const guest: Guest = {
    name,
    exec,
    require: async (argv, options) => {
      const result = await exec(argv, options);
      if (result.exitCode !== 0) {
        const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-10).join('\n');
        throw new Error(`${name}: ${argv.join(' ')} ended with exit code ${result.exitCode}: ${said}`);
      }
      return result.stdout;
    },
    readFile: (path) => guest.require(['cat', '--', path]),
    writeFile: async (path, content, { mode = 0o644 } = {}) => {
      await guest.require([...WRITE_FILE, mode.toString(8), path], { input: content });
    },
    copyIn: async (hostPath, guestPath) => {
      const entry = await stat(hostPath);
      if (entry.isDirectory()) {
        await guest.require(['mkdir', '-p', '--', guestPath]);
        const argv = ['tar', '-C', guestPath, '-xf', '-', '--strip-components=1', '--no-same-owner'];
        await guest.require(argv, { input: folderStream(hostPath), timeoutMs: COPY_TIMEOUT_MS });
        return;
      }
      const mode = (entry.mode & 0o7777).toString(8);
      const input = createReadStream(hostPath, { highWaterMark: 1024 * 1024 });
      await guest.require([...WRITE_FILE, mode, guestPath], { input, timeoutMs: COPY_TIMEOUT_MS });
    },
  };
  return guest;
}

/** Booted means that systemd has started all it wants to; a unit that failed does not keep a guest from being used. */
export async function waitUntilBooted(guest: Guest, timeoutMs = 60_000): Promise<void> {
  await waitUntil(
    `the boot of ${guest.name}`,
    async () => {
      const argv = ['systemctl', 'is-system-running', '--wait'];
      const { stdout } = await guest.exec(argv, { timeoutMs: timeoutMs / 2 });
      return stdout.trim() === 'running' || stdout.trim() === 'degraded';
    },
    { timeoutMs, everyMs: 50 },
  );
}

/** A folder of the host as a tar stream whose single top entry is the folder itself. */
function folderStream(hostPath: string): Readable {
  const tar = spawn(
    'tar',
    ['-C', dirname(hostPath), '-cf', '-', '--owner=0', '--group=0', '--', basename(hostPath)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return tar.stdout;
}
