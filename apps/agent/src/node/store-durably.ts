import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** What a write leaves behind when the machine stops in the middle of it: never a file that is read. */
export const LEFTOVER_SUFFIX = '.tmp';

/**
 * Replaces a file so that after a crash or a power failure either the old or the new content is there
 * and whole, and once this resolves only the new one. The file is readable by root alone.
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
