import { randomBytes } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FileStat, WirePath } from '@innkeeper/domain';
import { FileFailure } from './file-failure.ts';
import { below, etagOf, findEntry, folderOf, type Home } from './home.ts';
import { statEntry } from './list.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const NEW_FILE_MODE = 0o644;
const CHUNK_BYTES = 256 * 1024;

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly size: number;
  readonly mtimeMs: number;
  readonly etag: string;
}

/**
 * Opens a regular file for reading. Anything else is refused before it is opened: a named pipe would wait for a writer, and
 * a device can act when it is opened.
 */
export async function openRegular(place: Buffer): Promise<OpenFile> {
  const before = await lstat(place);
  if (before.isDirectory()) throw new FileFailure('is_folder');
  if (!before.isFile()) throw new FileFailure('not_file');
  const handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new FileFailure('not_file');
    return {
      handle,
      size: Number(stats.size),
      mtimeMs: Number(stats.mtimeMs),
      etag: etagOf(stats),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The bytes `[start, end)` of a file. A file that becomes shorter meanwhile is an error, never a short answer. */
export async function* readBytes({ handle }: OpenFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new FileFailure('changed');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Reads `bytes=A-B`. Undefined: the whole file. Null: outside of the file. */
export function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | null | undefined {
  const match = /^bytes=(\d{0,16})-(\d{0,16})$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const start = Math.max(0, size - Number(match[2]));
    return start >= size ? null : { start, end: size };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size : Math.min(size, Number(match[2]) + 1);
  return start >= size || end <= start ? null : { start, end };
}

export interface SaveConditions {
  /** The file must still have this etag. */
  readonly ifMatch?: string | undefined;
  /** The file must not exist. */
  readonly isNew?: boolean;
}

/**
 * Replaces a file by new content, or creates it: a temporary file beside it, fsync, rename. So a reader has the old or the
 * new content, also after a power failure. A link stays a link, and the file that it leads to is replaced.
 */
export async function saveFile(
  home: Home,
  path: WirePath,
  content: Readable,
  { ifMatch, isNew = false }: SaveConditions = {},
): Promise<FileStat> {
  const entry = home.entry(path);
  const place = findEntry(entry)?.isSymbolicLink() === true && !isNew ? home.real(path) : entry;
  const mode = checkReplaced(place, { ifMatch, isNew });
  const { temporary, handle } = await openTemporary(folderOf(place));
  try {
    try {
      for await (const chunk of content) await writeWhole(handle, chunk as Buffer);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    checkReplaced(place, { ifMatch, isNew });
    if (isNew) await moveToFree(temporary, place);
    else await rename(temporary, place);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(folderOf(place));
  return statEntry(home, home.wire(place));
}

/** Returns the mode of the new file. Throws if the file is not as the conditions say. */
function checkReplaced(place: Buffer, { ifMatch, isNew }: SaveConditions): number {
  const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) {
    if (ifMatch !== undefined) throw new FileFailure('changed');
    return NEW_FILE_MODE;
  }
  if (isNew) throw new FileFailure('exists');
  if (stats.isDirectory()) throw new FileFailure('is_folder');
  if (!stats.isFile()) throw new FileFailure('not_file');
  if (ifMatch !== undefined && etagOf(stats) !== ifMatch) throw new FileFailure('changed');
  // Whoever may not write to a file must not replace it by the back door of its folder.
  if ((stats.mode & 0o200n) === 0n) throw new FileFailure('denied');
  return Number(stats.mode & 0o777n);
}

export async function openTemporary(folder: Buffer): Promise<{ temporary: Buffer; handle: FileHandle }> {
  const temporary = below(folder, Buffer.from(`.innkeeper-${randomBytes(8).toString('hex')}.tmp`));
  return { temporary, handle: await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600) };
}

export async function writeWhole(handle: FileHandle, chunk: Buffer, position?: number): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const at = position === undefined ? null : position + written;
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, at);
    written += bytesWritten;
  }
}

/** Gives a file its name, if the name is free. Unlike a rename, `link` never replaces. */
export async function moveToFree(from: Buffer, to: Buffer): Promise<void> {
  await link(from, to);
  await unlink(from);
}

/** After a power failure the name is there too. Some file systems cannot do this. */
export async function syncFolder(folder: Buffer): Promise<void> {
  const handle = await open(folder, O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
