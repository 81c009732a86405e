import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifThere } from './if-there.ts';

/** The first line of every file that the agent writes outside of its state folder. A file without it is foreign. */
export const OWNERSHIP_HEADER = 'Managed by Innkeeper';

/** Suffix of the file that a write leaves behind when the machine stops during it. Such a file is never read. */
export const LEFTOVER_SUFFIX = '.tmp';

export interface FileAccess {
  readonly mode: number;
  readonly gid: number;
}

/**
 * Replaces a file of the agent's state atomically: after a crash or a power failure it has either the old or the new
 * content, complete. Once this resolves, it has the new content. Readable by its owner only.
 */
export async function storeDurably(path: string, content: string): Promise<void> {
  const staged = `${path}.${randomBytes(6).toString('hex')}${LEFTOVER_SUFFIX}`;
  try {
    await writeNew(staged, Buffer.from(content));
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Replaces a root-owned file atomically: writes a new file beside it, syncs, renames. Only in folders that only root
 * can write to.
 */
export async function replaceFile(path: string, text: string, access: FileAccess): Promise<void> {
  const fresh = `${path}.innkeeper-new`;
  await writeSynced(fresh, text, access);
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

/** Writes and syncs a new file (text as latin1). Replaces a file that a crash left at the path. */
export async function writeSynced(path: string, text: string, access: FileAccess): Promise<void> {
  await rm(path, { force: true });
  await writeNew(path, Buffer.from(text, 'latin1'), access);
}

/** Leaves no part of the file when it fails, for example on a full disk. */
async function writeNew(path: string, content: Uint8Array, access?: FileAccess): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    if (access !== undefined) {
      await file.chown(0, access.gid);
      await file.chmod(access.mode);
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Returns whether there was something to remove. Only in folders that only root can write to. */
export async function unlinkIfThere(path: string): Promise<boolean> {
  return (await ifThere(unlink(path).then(() => true))) ?? false;
}

/** Creates the folder if it is missing, and lets everybody enter it, whatever umask this process has. */
export async function ensureOpenFolder(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created !== undefined) await chmod(path, 0o755);
}

/** Makes renames and removals in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
