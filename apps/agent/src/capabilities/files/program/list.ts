import { lstatSync, opendirSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import {
  type FileEntry,
  type FileList,
  type FileOrder,
  type FileStat,
  type FolderTree,
  joinWirePath,
  type WirePath,
  wireName,
} from '@innkeeper/domain';
import { below, etagOf, type Home, nameIn } from './home.ts';

/** A larger folder is shown in part: reading it all would take seconds and too much memory. */
const MOST_ENTRIES = 100_000;
const MOST_FOLDERS = 200;

export interface ListQuery {
  readonly order: FileOrder;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Only entries with this text in their name. Empty: all. */
  readonly filter: string;
  /** Only folders. */
  readonly foldersOnly: boolean;
}

interface Found {
  readonly name: Buffer;
  readonly key: string;
  readonly isFolder: boolean;
}

/** Lists a folder: folders first, then by name, size or time. Only a list by name reads no more than it shows. */
export function listFolder(home: Home, path: WirePath, query: ListQuery): FileList {
  const folder = home.folder(path);
  const { found, isCut } = readFolder(folder, query);
  const { order, descending, offset, limit } = query;
  const sign = descending ? -1 : 1;
  const byName = (one: Found, other: Found) => compareKeys(one.key, other.key);
  const folders = (one: Found, other: Found) => Number(other.isFolder) - Number(one.isFolder);
  if (order === 'name') {
    found.sort((one, other) => folders(one, other) || sign * byName(one, other));
    const shown = found.slice(offset, offset + limit);
    const entries = shown.flatMap(({ name }) => entryAt(home, below(folder, name)) ?? []);
    return { path, entries, total: found.length, is_cut: isCut };
  }
  const measured = found.flatMap((one) => {
    const stats = lstatSync(below(folder, one.name), { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ ...one, value: order === 'size' ? stats.size : stats.mtimeMs }];
  });
  measured.sort(
    (one, other) => folders(one, other) || sign * (one.value - other.value) || byName(one, other),
  );
  const shown = measured.slice(offset, offset + limit);
  const entries = shown.flatMap(({ name }) => entryAt(home, below(folder, name)) ?? []);
  return { path, entries, total: measured.length, is_cut: isCut };
}

/**
 * The order of people: `a9` before `a10`, no difference between upper and lower case or accents. A collator with numbers takes ten
 * times as long for a large folder.
 */
function orderKey(name: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(12, '0'));
}

function compareKeys(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function readFolder(folder: Buffer, { filter, foldersOnly }: ListQuery): { found: Found[]; isCut: boolean } {
  const wanted = filter.toLowerCase();
  const found: Found[] = [];
  let isCut = false;
  for (const { name, isFolder } of entriesOf(folder)) {
    if (found.length === MOST_ENTRIES) {
      isCut = true;
      break;
    }
    if (foldersOnly && !isFolder) continue;
    const text = name.toString();
    if (wanted === '' || text.toLowerCase().includes(wanted))
      found.push({ name, key: orderKey(text), isFolder });
  }
  return { found, isCut };
}

/** The entries of a folder, in the order of the file system, as they are read. */
function* entriesOf(folder: Buffer): Generator<{ name: Buffer; isFolder: boolean }> {
  // With `buffer` the names are buffers, which the types of Node.js do not say.
  const open = opendirSync(folder as unknown as string, {
    encoding: 'buffer' as BufferEncoding,
    bufferSize: 512,
  });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync())
      yield { name: entry.name as unknown as Buffer, isFolder: entry.isDirectory() };
  } finally {
    open.closeSync();
  }
}

/** The folders beside the way to a folder, for the tree. */
export function readTree(home: Home, path: WirePath): FolderTree {
  const paths = [''];
  for (const name of path === '' ? [] : path.split('/')) paths.push(joinWirePath(paths.at(-1)!, name));
  return {
    levels: paths.map((level) => {
      const query = { filter: '', foldersOnly: true } as ListQuery;
      const { found, isCut } = readFolder(home.folder(level), query);
      found.sort((one, other) => compareKeys(one.key, other.key));
      const folders = found.slice(0, MOST_FOLDERS).map(({ name }) => wireName(name));
      return { path: level, folders, is_cut: isCut || found.length > MOST_FOLDERS };
    }),
  };
}

/** One entry with its etag. A link is described, not followed. */
export function statEntry(home: Home, path: WirePath): FileStat {
  const place = home.entry(path);
  const stats = lstatSync(place, { bigint: true });
  const entry = entryAt(home, place);
  if (entry === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  return { ...entry, name: entry.name || '~', path, etag: etagOf(stats) };
}

function entryAt(home: Home, place: Buffer): FileEntry | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const kind = kindOf(stats);
  return {
    name: place.equals(home.root) ? '~' : wireName(nameIn(place)),
    kind,
    size: stats.size,
    mtime_ms: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    ...(kind === 'link' ? linkOf(home, place) : {}),
  };
}

export function kindOf(stats: Stats): FileEntry['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

function linkOf(home: Home, place: Buffer): Pick<FileEntry, 'target' | 'leads_to'> {
  try {
    const target = readlinkSync(place, 'buffer').toString('utf8').slice(0, 4_096);
    return { target, leads_to: leadsTo(home, place) };
  } catch {
    return { leads_to: 'nothing' };
  }
}

function leadsTo(home: Home, place: Buffer): FileEntry['leads_to'] {
  try {
    const real = realpathSync.native(place, 'buffer');
    if (!home.has(real)) return 'outside';
    const kind = kindOf(statSync(real));
    return kind === 'link' ? 'nothing' : kind;
  } catch {
    return 'nothing';
  }
}
