import { readFileSync } from 'node:fs';
import { link, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from './host-error.ts';

/**
 * The lock files of shadow-utils (/etc/passwd.lock, …): a hard link to a file that holds the owner's
 * pid, so that useradd, passwd -l, chage, vipw and the agent exclude each other. A lock whose owner is
 * dead, or began after the lock was made (a pid used again), is broken, as shadow-utils does.
 * What locks /etc/.pwd.lock alone (pam_unix, systemd-sysusers) is not kept out: the caller compares
 * what it read with what is there right before it replaces a file.
 */
const WAIT_MS = 15_000;
const RETRY_MS = 20;

/** Runs `work` while it holds the locks of the files. HostError (retryable) when they stay taken for 15 s. */
export async function withAccountLocks<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const held: string[] = [];
  try {
    for (const file of files) {
      await lock(file);
      held.push(file);
    }
    return await work();
  } finally {
    for (const file of held.toReversed()) await unlink(`${file}.lock`);
  }
}

async function lock(file: string): Promise<void> {
  const own = `${file}.${process.pid}`;
  const deadline = Date.now() + WAIT_MS;
  await writeFile(own, `${process.pid}\0`, { mode: 0o600 });
  try {
    while (!(await tryLink(own, `${file}.lock`))) {
      if (await breakStale(`${file}.lock`)) continue;
      if (Date.now() > deadline)
        throw new HostError('Failed', `${file}.lock is held by another program for more than 15 s.`);
      await delay(RETRY_MS);
    }
  } finally {
    await unlink(own);
  }
}

async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function breakStale(path: string): Promise<boolean> {
  try {
    const pid = Number.parseInt(await readFile(path, 'utf8'), 10);
    const { mtimeMs } = await stat(path);
    const startedAt = Number.isSafeInteger(pid) && pid > 0 ? processStart(pid) : undefined;
    const isOwners = startedAt !== undefined && startedAt <= mtimeMs + 1_000 && pid !== process.pid;
    if (isOwners) return false;
    await unlink(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** When a process started, in milliseconds since 1970 (to the second); undefined when it does not live. */
function processStart(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]);
    return (boot + ticks / 100) * 1_000;
  } catch {
    return undefined;
  }
}
