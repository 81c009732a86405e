import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Takes an exclusive lock on `path` among all processes of the machine and returns the function that releases it. A
 * child process owns the lock and ends when its standard input closes, so the lock is released however this process
 * ends. With `busy` it waits only as long as a killed holder needs to release the lock, and then rejects with that
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

/** Runs `work` while it holds the lock of `takeFileLock`. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, busy?: string): Promise<T> {
  const release = await takeFileLock(path, busy);
  try {
    return await work();
  } finally {
    await release();
  }
}
