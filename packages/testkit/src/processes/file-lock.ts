import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Takes an exclusive lock on `path`, among all processes of the machine, and gives what releases it. The
 * lock is held by a child that ends when its standard input closes, so it is released however this process
 * ends. With `busy` it waits no longer than a holder that was killed needs to let go, and rejects with that
 * sentence.
 */
export async function takeFileLock(path: string, busy?: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  const wait = busy === undefined ? [] : ['--wait', '3'];
  const holder = spawn('flock', ['--exclusive', ...wait, path, 'sh', '-c', 'echo held && exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(holder, 'close');
  await Promise.race([
    once(holder.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(busy ?? `the lock ${path} could not be taken: flock ended with ${code}`);
    }),
  ]);
  return async () => {
    holder.stdin.end();
    await ended;
  };
}

/** Runs `work` while holding the lock that `takeFileLock` takes. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, busy?: string): Promise<T> {
  const release = await takeFileLock(path, busy);
  try {
    return await work();
  } finally {
    await release();
  }
}
