import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import {
  joinWirePath,
  readWirePath,
  type TrashList,
  type WirePath,
  wireName,
  wireNameAtEnd,
  wireParentOf,
} from '@innkeeper/domain';
import { ensureFolder, movePlace } from './changes.ts';
import { FileFailure } from './file-failure.ts';
import {
  below,
  findEntry,
  freePlace,
  type Home,
  isAtOrBelow,
  nameIn,
  partsOf,
  TRASH_FOLDER,
} from './home.ts';
import { kindOf } from './list.ts';

const INFO = Buffer.from('.trashinfo');
const MOST_SHOWN = 2_000;
const INFO_MAX_BYTES = 32 * 1024;

/** The two folders of the trash. */
function trashOf(home: Home): { files: Buffer; info: Buffer } {
  return {
    files: ensureFolder(home, joinWirePath(TRASH_FOLDER, 'files'), 0o700),
    info: ensureFolder(home, joinWirePath(TRASH_FOLDER, 'info'), 0o700),
  };
}

/**
 * Moves entries into the trash. A note beside each says where it was (freedesktop.org Trash specification). Without room for the
 * note it fails, and the entry stays.
 */
export async function moveToTrash(home: Home, paths: readonly WirePath[]): Promise<void> {
  const { files, info } = trashOf(home);
  for (const path of paths) {
    const place = home.entry(path);
    if (path === '' || isAtOrBelow(files, place)) throw new FileFailure('inside_itself');
    if (findEntry(place) === undefined) throw new FileFailure('not_found');
    if (isAtOrBelow(place, files)) throw new FileFailure('inside_itself');
    const { name, note } = reserveName(files, info, nameIn(place), noteFor(place));
    try {
      await movePlace(place, below(files, name));
    } catch (error) {
      rmSync(note, { force: true });
      throw error;
    }
  }
}

function noteFor(place: Buffer): string {
  const path = partsOf(place.subarray(1)).map(wireName).join('/');
  const date = new Date().toISOString().slice(0, 19);
  return `[Trash Info]\nPath=/${path}\nDeletionDate=${date}\n`;
}

/** The note is created first and only if its name is free: it reserves the name for the entry. */
function reserveName(
  files: Buffer,
  info: Buffer,
  wanted: Buffer,
  text: string,
): { name: Buffer; note: Buffer } {
  for (let number = 1; ; number += 1) {
    // 200 bytes leave room for the number and for `.trashinfo`.
    const stem =
      number === 1 && wanted.length <= 200
        ? wanted
        : Buffer.concat([wanted.subarray(0, 200), Buffer.from(`.${number}`)]);
    const note = below(info, Buffer.concat([stem, INFO]));
    if (findEntry(below(files, stem)) !== undefined) continue;
    let fd: number;
    try {
      fd = openSync(note, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      writeSync(fd, text);
    } catch (error) {
      rmSync(note, { force: true });
      throw error;
    } finally {
      closeSync(fd);
    }
    return { name: stem, note };
  }
}

/** The newest first. */
export function listTrash(home: Home): TrashList {
  const { files, info } = trashOf(home);
  const items = readdirSync(files, { encoding: 'buffer' }).flatMap((name) => {
    const stats = findEntry(below(files, name));
    if (stats === undefined) return [];
    const { path, deletedMs } = readNote(home, info, name);
    return {
      name: wireName(name),
      path,
      deleted_ms: deletedMs,
      kind: kindOf(stats),
      size: stats.isDirectory() ? 0 : stats.size,
    };
  });
  items.sort((one, other) => (other.deleted_ms ?? 0) - (one.deleted_ms ?? 0));
  return { items: items.slice(0, MOST_SHOWN), is_cut: items.length > MOST_SHOWN };
}

function readNote(
  home: Home,
  info: Buffer,
  name: Buffer,
): { path: WirePath | null; deletedMs: number | null } {
  const place = below(info, Buffer.concat([name, INFO]));
  const stats = findEntry(place);
  if (stats?.isFile() !== true || stats.size > INFO_MAX_BYTES) return { path: null, deletedMs: null };
  const text = readFileSync(place, 'utf8');
  const path = readWirePath(/^Path=\/?(.*)$/m.exec(text)?.[1] ?? '');
  const deleted = Date.parse(`${/^DeletionDate=(.*)$/m.exec(text)?.[1] ?? ''}Z`);
  const root = partsOf(home.root.subarray(1)).map(wireName).join('/');
  const isOfHome = path?.startsWith(`${root}/`) === true;
  return {
    path: isOfHome ? path.slice(root.length + 1) : null,
    deletedMs: Number.isNaN(deleted) ? null : deleted,
  };
}

/** Puts entries back where they were, beside what is there now. Without a note they go into the home. */
export async function restore(home: Home, names: readonly string[]): Promise<WirePath[]> {
  const { files, info } = trashOf(home);
  const restored: WirePath[] = [];
  for (const wire of names) {
    const name = bytesOfName(wire);
    const place = below(files, name);
    if (findEntry(place) === undefined) throw new FileFailure('not_found');
    const { path } = readNote(home, info, name);
    const wanted = path ?? wire;
    const folder = ensureFolder(home, wireParentOf(wanted));
    const free = freePlace(below(folder, bytesOfName(wireNameAtEnd(wanted))));
    await movePlace(place, free);
    rmSync(below(info, Buffer.concat([name, INFO])), { force: true });
    restored.push(home.wire(free));
  }
  return restored;
}

/** The places of entries in the trash, to be removed for good; without names, of all. */
export function placesInTrash(home: Home, names: readonly string[] | undefined): Buffer[] {
  const { files } = trashOf(home);
  const wanted = names?.map(bytesOfName) ?? readdirSync(files, { encoding: 'buffer' });
  return wanted.map((name) => below(files, name));
}

/** Removes the notes of entries that are no longer there. */
export function forgetRemoved(home: Home): void {
  const { files, info } = trashOf(home);
  for (const note of readdirSync(info, { encoding: 'buffer' })) {
    if (!note.subarray(-INFO.length).equals(INFO)) continue;
    if (findEntry(below(files, note.subarray(0, -INFO.length))) === undefined)
      rmSync(below(info, note), { force: true });
  }
}

function bytesOfName(wire: string): Buffer {
  const name = readWirePath(wire);
  if (name === undefined || name === '' || name.includes('/')) throw new FileFailure('invalid');
  return Buffer.from(
    name.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
