import { readlinkSync, type Stats } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import yazl from 'yazl';
import { moveToFree, openRegular, openTemporary, readBytes, writeWhole } from './content.ts';
import { FileFailure, failureOf } from './file-failure.ts';
import { below, freePlace, type Home, isAtOrBelow, STATE_FOLDER, TRASH_FOLDER } from './home.ts';
import type { Progress } from './progress.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-writer.ts';
import { type Walked, walk } from './walk.ts';
import { workFolder } from './work-folder.ts';

export type ArchiveFormat = 'zip' | 'tar.gz';

/** Compressing these again costs time and saves nothing. */
const COMPRESSED =
  /\.(?:zip|gz|tgz|bz2|xz|zst|7z|rar|jpe?g|png|gif|webp|avif|mp[34]|m4[av]|mov|webm|ogg|pdf|woff2?|docx|xlsx|jar|phar)$/i;
const LEVEL = 5;
const PROGRESS_BYTES = 64 * 1024;

/** Writes entries into a new archive. The archive has its name only when it is complete. */
export async function archiveInto(
  home: Home,
  places: readonly Buffer[],
  { folder, name, format }: { folder: Buffer; name: Buffer; format: ArchiveFormat },
  progress: Progress,
): Promise<Buffer> {
  const { temporary, handle } = await openTemporary(workFolder(home));
  try {
    const own = await handle.stat();
    const isLeftOut = leftOut(home, (stats) => stats.ino === own.ino && stats.dev === own.dev);
    for (const { stats } of walk(places, isLeftOut)) {
      progress.total += stats.isFile() ? stats.size : 0;
      await progress.step();
    }
    try {
      for await (const chunk of archiveStream(places, format, { isLeftOut, progress }))
        await writeWhole(handle, chunk as Buffer);
      await handle.chmod(0o644);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const place = freePlace(below(folder, name));
    await moveToFree(temporary, place);
    return place;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** The trash and the state of the file manager belong to no archive of the home. */
export function leftOut(
  home: Home,
  isToo: (stats: Stats) => boolean = () => false,
): (place: Buffer, stats: Stats) => boolean {
  const own = [STATE_FOLDER, TRASH_FOLDER].map((path) => Buffer.from(`${home.root}/${path}`));
  return (place, stats) => isToo(stats) || own.some((folder) => isAtOrBelow(place, folder));
}

interface Contents {
  readonly isLeftOut: (place: Buffer, stats: Stats) => boolean;
  readonly progress: Progress;
}

/** An archive as a stream, made while it is read. */
export function archiveStream(
  places: readonly Buffer[],
  format: ArchiveFormat,
  contents: Contents,
): Readable {
  const entries = walk(places, contents.isLeftOut);
  if (format === 'zip') return zipStream(entries, contents.progress);
  const tar = Readable.from(tarParts(entries, contents.progress), { objectMode: false });
  const gzip = createGzip({ level: LEVEL, chunkSize: 256 * 1024 });
  pipeline(tar, gzip).catch(() => {});
  return gzip;
}

async function* tarParts(entries: Iterable<Walked>, progress: Progress): AsyncGenerator<Buffer> {
  for (const { place, path, stats } of entries) {
    await progress.step();
    if (stats.isDirectory()) yield tarHeader(path, { ...stats, kind: 'folder' });
    else if (stats.isSymbolicLink())
      yield tarHeader(path, { ...stats, kind: 'link', target: readlinkSync(place, 'buffer') });
    else {
      await using file = await openOrSkip(place, progress);
      if (file === undefined) continue;
      const { size, mtimeMs } = file;
      yield tarHeader(path, { mode: stats.mode, size, mtimeMs, kind: 'file' });
      for await (const chunk of readBytes(file, 0, size)) {
        progress.add(chunk.length);
        yield chunk;
      }
      yield tarPadding(size);
    }
  }
  yield tarEnd();
}

/** A file that cannot be read is left out and counted: an archive of everything else is better than none. */
async function openOrSkip(place: Buffer, progress: Progress) {
  try {
    return await openRegular(place);
  } catch (error) {
    const { failure } = failureOf(error);
    if (failure !== 'denied' && failure !== 'not_file' && failure !== 'not_found') throw error;
    progress.skipped += 1;
    return undefined;
  }
}

function zipStream(entries: Iterable<Walked>, progress: Progress): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable & Writable;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  addEntries(zip, entries, progress, output).catch(fail);
  return output;
}

/** One entry is added after the other, so that the files of a large tree are not all waiting in memory. */
async function addEntries(
  zip: yazl.ZipFile,
  entries: Iterable<Walked>,
  progress: Progress,
  output: Readable,
): Promise<void> {
  for (const { place, path, stats } of entries) {
    await progress.step();
    const name = zipNameOf(path);
    const options = { mtime: new Date(stats.mtimeMs), mode: stats.mode & 0xffff };
    if (stats.isDirectory()) zip.addEmptyDirectory(`${name}/`, options);
    else if (!stats.isFile()) progress.skipped += 1;
    else {
      await using file = await openOrSkip(place, progress);
      if (file === undefined) continue;
      const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
      const content = Readable.from(counted(readBytes(file, 0, file.size), progress), { objectMode: false });
      content.once('close', resolve).once('error', reject);
      const gone = () => content.destroy(new FileFailure('cancelled'));
      output.once('close', gone);
      const compresses = !COMPRESSED.test(name);
      zip.addReadStream(content, name, {
        ...options,
        size: file.size,
        compress: compresses,
        ...(compresses ? { compressionLevel: LEVEL } : {}),
      });
      await ended;
      output.off('close', gone);
    }
  }
  zip.end();
}

async function* counted(chunks: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PROGRESS_BYTES) yield chunk.subarray(at, at + PROGRESS_BYTES);
    progress.add(chunk.length);
  }
}

/** ZIP archives have text names with `/`. */
function zipNameOf(path: Buffer): string {
  return path
    .toString('utf8')
    .replaceAll('\\', '_')
    .replaceAll(/[\p{Cc}]/gu, '_');
}
