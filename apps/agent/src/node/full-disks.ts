import { stat, statfs } from 'node:fs/promises';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** For operators: the change is retried, and succeeds once there is room. */
export const DISK_FULL =
  'A disk of the server is full: it has no space, or no room for one more file. The change is retried: free some space.';

/** Everything that the agent and what accounts need writes to. Each file system is looked at once. */
const FOLDERS = ['/', '/etc', '/home', '/run', '/tmp', '/var/lib/innkeeper', '/var/lib/mysql', '/var/log'];
const EVERY_MS = 5_000;
/** With less than this, writes of several files fail in the middle. */
const SPARE_BYTES = 4 * 1_048_576;
const SPARE_FILES = 16;
const DEPTH = 5;

/** Whether a file system without space or inodes is the reason of a failure, of this process or of a program. */
export function isDiskFull(error: unknown, depth = DEPTH): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return true;
  return /ENOSPC|No space left on device/.test(error.message) || isDiskFull(error.cause, depth - 1);
}

/** Returns a sentence for each full file system that one of the folders is on. */
export async function findFullDisks(folders: readonly string[] = FOLDERS): Promise<string[]> {
  const seen = new Set<number>();
  const sentences: string[] = [];
  for (const folder of folders) {
    const device = await stat(folder).then(
      ({ dev }) => dev,
      () => undefined,
    );
    if (device === undefined || seen.has(device)) continue;
    seen.add(device);
    const { bavail, bsize, files, ffree } = await statfs(folder);
    if (bavail * bsize < SPARE_BYTES) sentences.push(`The file system of ${folder} has no space.`);
    else if (files > 0 && ffree < SPARE_FILES)
      sentences.push(`The file system of ${folder} has no room for more files (inodes).`);
  }
  return sentences;
}

/** Looks at the file systems every few seconds, tells `set` whether one is full, and logs when that changes. */
export function watchFullDisks(deps: {
  readonly set: (isFull: boolean) => void;
  readonly find?: () => Promise<string[]>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
}): () => void {
  const { set, find = findFullDisks, clock, log } = deps;
  let before: readonly string[] = [];
  let isStopped = false;
  let cancel = () => {};
  const look = async () => {
    const now = await find().catch(() => before);
    for (const sentence of now)
      if (!before.includes(sentence)) log.warn({ disk: sentence }, 'A disk is full.');
    for (const sentence of before)
      if (!now.includes(sentence)) log.info({ disk: sentence }, 'The disk has room again.');
    before = now;
    set(now.length > 0);
    if (!isStopped) cancel = clock.after(EVERY_MS, () => void look());
  };
  void look();
  return () => {
    isStopped = true;
    cancel();
  };
}
