import { chmodSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type FileStat, joinWirePath, type WirePath, wireNameAtEnd } from '@innkeeper/domain';
import { moveToFree } from './content.ts';
import { FileFailure } from './file-failure.ts';
import { below, findEntry, type Home, isAtOrBelow } from './home.ts';
import { statEntry } from './list.ts';

/** Makes a folder and those above it. Returns its place. An existing folder is kept as it is. */
export function ensureFolder(home: Home, path: WirePath, mode = 0o755): Buffer {
  try {
    return home.folder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === '') throw error;
  }
  ensureFolder(home, path.slice(0, Math.max(0, path.lastIndexOf('/'))), mode);
  try {
    mkdirSync(home.entry(path), { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return home.folder(path);
}

export function makeFolder(home: Home, path: WirePath): FileStat {
  mkdirSync(home.entry(path), { mode: 0o755 });
  return statEntry(home, path);
}

export async function makeFile(home: Home, path: WirePath): Promise<FileStat> {
  const handle = await open(home.entry(path), 'wx', 0o644);
  await handle.close();
  return statEntry(home, path);
}

/** Renames one entry, or moves it. Nothing is replaced. A link is moved, not what it leads to. */
export async function moveEntry(home: Home, from: WirePath, to: WirePath): Promise<void> {
  if (from === '' || to === '') throw new FileFailure('invalid');
  await movePlace(home.entry(from), home.entry(to));
}

/** Moves entries into a folder. The first refusal ends it: the entries before it are moved. */
export async function moveInto(
  home: Home,
  paths: readonly WirePath[],
  folder: WirePath,
): Promise<WirePath[]> {
  home.folder(folder);
  const moved: WirePath[] = [];
  for (const path of paths) {
    const to = joinWirePath(folder, wireNameAtEnd(path));
    await moveEntry(home, path, to);
    moved.push(to);
  }
  return moved;
}

export async function movePlace(from: Buffer, to: Buffer): Promise<void> {
  const stats = findEntry(from);
  if (stats === undefined) throw new FileFailure('not_found');
  if (from.equals(to)) return;
  if (stats.isDirectory() && isAtOrBelow(to, from)) throw new FileFailure('inside_itself');
  if (findEntry(to) !== undefined) throw new FileFailure('exists');
  // `link` refuses an entry that appeared since. A folder has no hard link, so a rename may replace an empty folder.
  if (stats.isFile()) await moveToFree(from, to);
  else renameSync(from, to);
}

const MOST_CHANGED = 200_000;

/**
 * Sets permissions: of the entry, and with `below` of everything in a folder. Set-user-id and the like are never set. Links are
 * left alone, because a change would go to what they lead to.
 */
export function setMode(
  home: Home,
  path: WirePath,
  mode: number,
  inFolder?: { files: number; folders: number },
): number {
  const place = home.entry(path);
  const stats = findEntry(place);
  if (stats === undefined) throw new FileFailure('not_found');
  if (stats.isSymbolicLink()) throw new FileFailure('not_file');
  let changed = 1;
  if (stats.isDirectory() && inFolder !== undefined) changed += setModesBelow(place, inFolder);
  chmodSync(place, mode & 0o777);
  return changed;
}

function setModesBelow(folder: Buffer, { files, folders }: { files: number; folders: number }): number {
  let changed = 0;
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const place = below(folder, name);
    const stats = findEntry(place);
    if (stats === undefined || stats.isSymbolicLink()) continue;
    changed += 1;
    if (changed > MOST_CHANGED) throw new FileFailure('too_many');
    if (stats.isDirectory()) {
      // The owner must be able to enter the folder until everything in it is changed.
      if ((stats.mode & 0o700) !== 0o700) chmodSync(place, 0o700);
      changed += setModesBelow(place, { files, folders });
    }
    chmodSync(place, (stats.isDirectory() ? folders : files) & 0o777);
  }
  return changed;
}
