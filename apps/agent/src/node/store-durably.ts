import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Suffix of the file that a write leaves behind when the machine stops during it. Such a file is never read. */
export const LEFTOVER_SUFFIX = '.tmp';

/**
 * Replaces a file atomically: after a crash or a power failure it has either the old or the new content, complete. Once
 * this resolves, it has the new content. Readable by root only.
 */
export async function storeDurably(file: string, content: string): Promise<void> {
  const staged = `${file}.${randomBytes(6).toString('hex')}${LEFTOVER_SUFFIX}`;
  try {
    const handle = await open(staged, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(staged, file);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes renames and removals in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
