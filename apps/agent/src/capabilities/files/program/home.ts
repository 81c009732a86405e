import { type BigIntStats, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { namesOfWirePath, type WirePath, wireName, wireParentOf } from '@innkeeper/domain';
import { FileFailure } from './file-failure.ts';

/** Folder below the home with the state of the file manager: unfinished uploads and jobs. */
export const STATE_FOLDER: WirePath = '.local/share/innkeeper';
/** The trash of the freedesktop.org specification, so that other programs know it too. */
export const TRASH_FOLDER: WirePath = '.local/share/Trash';

const SLASH = Buffer.from('/');

/**
 * The home, as bytes. The program runs as the account and sees its home only, so a path cannot reach what the account
 * cannot. Nevertheless links that lead out of the home are refused: the file manager shows the home and nothing of the
 * system. The last name of a path is never followed, unless a function says so.
 */
export class Home {
  readonly root: Buffer;

  constructor(folder: string) {
    this.root = realpathSync.native(folder, 'buffer');
  }

  /** The place of an entry that may be missing. The folders above it are resolved. */
  entry(path: WirePath): Buffer {
    if (path === '') return this.root;
    const name = namesOfWirePath(path).at(-1)!;
    return below(this.folder(wireParentOf(path)), Buffer.from(name));
  }

  /** The place of a folder. Links on the way are followed, inside the home. */
  folder(path: WirePath): Buffer {
    const real = this.real(path);
    if (!statSync(real).isDirectory()) throw new FileFailure('not_folder');
    return real;
  }

  /** The place that a path leads to, with every link followed, inside the home. */
  real(path: WirePath): Buffer {
    const real = realpathSync.native(this.#join(path), 'buffer');
    if (!this.has(real)) throw new FileFailure('outside');
    return real;
  }

  /** Whether a resolved place is the home or below it. */
  has(place: Buffer): boolean {
    return isAtOrBelow(place, this.root);
  }

  /** The wire path of a place in the home. */
  wire(place: Buffer): WirePath {
    if (!this.has(place)) throw new FileFailure('outside');
    const rest = place.subarray(this.root.length + 1);
    return rest.length === 0 ? '' : partsOf(rest).map(wireName).join('/');
  }

  #join(path: WirePath): Buffer {
    return namesOfWirePath(path).reduce<Buffer>((place, name) => below(place, Buffer.from(name)), this.root);
  }
}

export function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, SLASH, name]);
}

export function isAtOrBelow(place: Buffer, folder: Buffer): boolean {
  if (place.equals(folder)) return true;
  return (
    place.length > folder.length &&
    place.subarray(0, folder.length + 1).equals(below(folder, Buffer.alloc(0)))
  );
}

export function nameIn(place: Buffer): Buffer {
  return place.subarray(place.lastIndexOf(0x2f) + 1);
}

export function folderOf(place: Buffer): Buffer {
  return place.subarray(0, Math.max(1, place.lastIndexOf(0x2f)));
}

/** The names of a relative path. */
export function partsOf(path: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at <= path.length; ) {
    const end = path.indexOf(0x2f, at);
    parts.push(path.subarray(at, end === -1 ? path.length : end));
    if (end === -1) break;
    at = end + 1;
  }
  return parts;
}

export function findEntry(place: Buffer): Stats | undefined {
  return lstatSync(place, { throwIfNoEntry: false });
}

/** Size, time of the last change and inode: it differs after any change, also when a file was replaced. */
export function etagOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  const time = mtimeNs < 0n ? 0n : mtimeNs;
  return `"${size.toString(16)}-${time.toString(16)}-${ino.toString(16)}"`;
}

/** A free name beside an existing one: `a.txt`, `a-2.txt`, `a-3.txt`. */
export function freePlace(place: Buffer): Buffer {
  if (findEntry(place) === undefined) return place;
  const folder = folderOf(place);
  const name = nameIn(place);
  const dot = name.lastIndexOf(0x2e);
  const cut = dot > 0 ? dot : name.length;
  for (let number = 2; ; number += 1) {
    const middle = Buffer.from(`-${number}`);
    const free = below(folder, Buffer.concat([name.subarray(0, cut), middle, name.subarray(cut)]));
    if (findEntry(free) === undefined) return free;
  }
}
