import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';

/** Returns the result of work on a path. Undefined if nothing exists there. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the entry at the path itself: a link is not followed. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  return await ifThere(lstat(path));
}

/** Returns the names in a folder. Empty if the folder does not exist. */
export async function listIfThere(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}
