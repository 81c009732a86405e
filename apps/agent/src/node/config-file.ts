import { open, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifThere } from './if-there.ts';

/** The first line of every file that the agent writes. A file without it is foreign. */
export const OWNERSHIP_HEADER = 'Managed by Innkeeper';

export interface FileAccess {
  readonly mode: number;
  /** Default: root. */
  readonly uid?: number;
  readonly gid: number;
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
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'latin1');
    await file.chown(access.uid ?? 0, access.gid);
    await file.chmod(access.mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns whether there was something to remove. Only in folders that only root can write to. */
export async function unlinkIfThere(path: string): Promise<boolean> {
  return (await ifThere(unlink(path).then(() => true))) ?? false;
}

/** Makes renames in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
