import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';

/** What comes of work on a path; undefined where nothing is there. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What stands at the path itself: a link is not followed. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  return await ifThere(lstat(path));
}

/** The names in a folder; none where there is no folder. */
export async function listIfThere(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}
