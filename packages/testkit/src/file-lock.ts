import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs `work` while holding an exclusive lock on `path`, among all processes of the machine. The lock is
 * held by a child that ends when its standard input closes, so it is released however this process ends.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--exclusive', path, 'sh', '-c', 'echo held && exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(holder, 'close');
  await Promise.race([
    once(holder.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(`the lock ${path} could not be taken: flock ended with ${code}`);
    }),
  ]);
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
