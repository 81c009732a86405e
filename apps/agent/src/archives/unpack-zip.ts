import { constants, read } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { ArchiveCheck, type ArchiveLimits, archivePathOf, isExecutable, isFolder } from '@innkeeper/domain';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { ArchiveFailure } from './archive-failure.ts';

export interface UnpackOptions {
  /** Default: those of a release of an app. */
  readonly limits?: ArchiveLimits;
  readonly signal?: AbortSignal;
  /** Called with the bytes that were written, and with the bytes that will be. */
  readonly onBytes?: (written: number, all: number) => void;
}

/**
 * Unpacks an untrusted archive into an empty folder. The archive's whole directory is checked before the first file is
 * written (docs/design/apps.md). Only the checked names are used, and every byte is counted against the sizes in the
 * directory.
 *
 * If all entries are in one folder, as in GitHub's archives, the content of that folder is unpacked. macOS's additions
 * (`__MACOSX/`) are skipped.
 */
export async function unpackZip(
  fd: number,
  bytes: number,
  into: string,
  { limits, signal, onBytes = () => {} }: UnpackOptions = {},
): Promise<void> {
  const reader = new BoundedReader(fd, bytes);
  const zip = await whole(
    fromRandomAccessReaderPromise(reader, bytes, { autoClose: false, decodeStrings: false }),
  );
  const entries = await whole(readDirectory(zip, new ArchiveCheck(bytes, limits)));
  const wanted = withoutTopFolder(entries.filter(({ path }) => path[0] !== '__MACOSX'));
  const all = wanted.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const noteBytes = (count: number) => {
    signal?.throwIfAborted();
    onBytes(count, all);
  };
  const made = new Set<string>();
  const ensureFolder = async (folder: string) => {
    if (made.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o755 });
    made.add(folder);
  };
  for (const { entry, path, isFolder: folder } of wanted) {
    const place = join(into, ...path);
    await ensureFolder(folder ? place : dirname(place));
    signal?.throwIfAborted();
    if (!folder) await writeEntry(zip, entry, place, noteBytes);
  }
}

const PIECE_BYTES = 64 * 1024;
const readPiece = promisify(read);

interface CheckedEntry {
  readonly entry: Entry;
  readonly path: readonly string[];
  readonly isFolder: boolean;
}

async function readDirectory(zip: ZipFile, check: ArchiveCheck): Promise<CheckedEntry[]> {
  refuse(check.refuseCount(zip.entryCount));
  const entries: CheckedEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
    const named = { ...entry, name };
    refuse(check.add(named));
    entries.push({ entry, path: archivePathOf(name), isFolder: isFolder(named) });
  }
  refuse(check.finish());
  return entries;
}

function withoutTopFolder(entries: readonly CheckedEntry[]): CheckedEntry[] {
  const top = entries[0]?.path[0];
  const isShared = entries.every(
    ({ path, isFolder: folder }) => path[0] === top && (path.length > 1 || folder),
  );
  const below = isShared ? entries.map((entry) => ({ ...entry, path: entry.path.slice(1) })) : [...entries];
  const kept = below.filter(({ path }) => path.length > 0);
  if (!kept.some(({ isFolder: folder }) => !folder))
    throw new ArchiveFailure('The archive has no file in it.');
  return kept;
}

/** Stops at the first byte beyond the size in the directory. */
async function writeEntry(
  zip: ZipFile,
  entry: Entry,
  place: string,
  noteBytes: (count: number) => void,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // The only used part of an archive's modes: whether a file is executable.
  const file = await open(place, flags, isExecutable(entry) ? 0o755 : 0o644);
  let content: Readable | undefined;
  let written = 0;
  let sum = 0;
  try {
    // No await between these two: a stream error without a listener ends the process.
    content = await whole(zip.openReadStreamPromise(entry));
    const chunks = content[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await whole(chunks.next() as Promise<IteratorResult<Buffer>>);
      if (done === true) break;
      written += value.length;
      if (written > entry.uncompressedSize)
        refuse('The archive is corrupt: a file is larger than the archive’s directory says.');
      sum = crc32(value, sum);
      await file.writeFile(value);
      noteBytes(value.length);
    }
  } finally {
    await file.close();
    content?.destroy();
  }
  if (written !== entry.uncompressedSize)
    refuse('The archive is corrupt: a file is smaller than the archive’s directory says.');
  if (sum !== entry.crc32) refuse('The archive is corrupt: a file has the wrong checksum.');
}

function refuse(sentence: string | undefined): void {
  if (sentence !== undefined) throw new ArchiveFailure(sentence);
}

/** An error of the library is the archive's fault; an error of the disk is not. */
async function whole<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ArchiveFailure) throw error;
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && code !== undefined) throw error;
    const reason = message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
    throw new ArchiveFailure(`The archive cannot be read: ${reason.replace(/\.?$/, '.')}`);
  }
}

/** A stream on the file itself would close the file after the first entry. */
async function* piecesOf(fd: number, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const wanted = Math.min(PIECE_BYTES, end - at);
    const { bytesRead, buffer } = await readPiece(fd, Buffer.alloc(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error('it ends before its directory does');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** A position outside of the archive is an ordinary error: the data after the archive does not belong to it. */
class BoundedReader extends RandomAccessReader {
  readonly #fd: number;
  readonly #bytes: number;

  constructor(fd: number, bytes: number) {
    super();
    this.#fd = fd;
    this.#bytes = bytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!this.#isInside(position, length)) {
      setImmediate(callback, new Error('it ends before its directory does'));
      return;
    }
    read(this.#fd, buffer, offset, length, position, (error, count) => {
      if (error === null && count < length) callback(new Error('it ends before its directory does'));
      else callback(error, count);
    });
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (!this.#isInside(start, end - start)) throw new Error('an entry lies outside of it');
    return Readable.from(piecesOf(this.#fd, start, end), { objectMode: false });
  }

  #isInside(position: number, length: number): boolean {
    return Number.isSafeInteger(position) && position >= 0 && position + length <= this.#bytes;
  }
}
