import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { waitUntil } from '../processes/wait-until.ts';
import type { GuestExec } from './guest-exec.ts';

/** A hosting server on this machine: a container (`Box`) or a virtual machine (`VirtualMachine`). */
export interface Guest {
  readonly name: string;
  /**
   * Runs a command in the guest as root. `argv` is a program and its arguments, never a shell line. Any exit code is a
   * result. Rejects after the timeout.
   */
  readonly exec: GuestExec;
  /** Like `exec`, but rejects unless the command exits with 0. Returns its standard output. */
  require(...args: Parameters<GuestExec>): Promise<string>;
  /** Returns the content of a file. Rejects if it does not exist. */
  readFile(path: string): Promise<string>;
  /** Writes a root-owned file and creates its parent folders. */
  writeFile(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Copies a file or a folder of the host to `guestPath`, which becomes its name in the guest. Keeps the modes; the
   * owner is root. In an existing folder of that name, other files stay.
   */
  copyIn(hostPath: string, guestPath: string): Promise<void>;
}

/** Takes a mode and a path. The content comes on standard input. */
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

/** Waits until systemd has started all its units. A failed unit does not make a guest unusable. */
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

/** Returns a folder of the host as a tar stream. Its single top entry is the folder itself. */
export function folderStream(hostPath: string): Readable {
  const tar = spawn(
    'tar',
    ['-C', dirname(hostPath), '-cf', '-', '--owner=0', '--group=0', '--', basename(hostPath)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return tar.stdout;
}
