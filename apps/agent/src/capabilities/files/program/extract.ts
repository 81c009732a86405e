import { randomBytes } from 'node:crypto';
import { constants, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { ARCHIVE_NAME, ArchiveCheck, type ArchiveLimits, archivePathOf } from '@innkeeper/domain';
import { Parser, type ReadEntry } from 'tar';
import { ArchiveFailure } from '../../../archives/archive-failure.ts';
import { unpackZip } from '../../../archives/unpack-zip.ts';
import { type OpenFile, openRegular, readBytes, writeWhole } from './content.ts';
import { FileFailure } from './file-failure.ts';
import { below, folderOf, freePlace, type Home, nameIn } from './home.ts';
import type { Progress } from './progress.ts';
import { removeTree } from './trees.ts';
import { workFolder } from './work-folder.ts';

/** A customer's own backup is larger than a release of an app. The quota is the other limit. */
const limits: ArchiveLimits = { entries: 100_000, unpackedBytes: 64 * 1024 ** 3 };

/**
 * Extracts an archive into a new folder beside it, which has its name only when it is complete. Nothing existing is changed. The
 * rules are those of releases (`ArchiveCheck`): no way out, no device, no file twice, and at most a hundred times the archive's size.
 */
export async function extractBeside(home: Home, place: Buffer, progress: Progress): Promise<Buffer> {
  const name = nameIn(place).toString('latin1');
  const suffix = ARCHIVE_NAME.exec(name)?.[0];
  if (suffix === undefined || suffix.length === name.length) throw new FileFailure('archive');
  const parent = folderOf(place);
  await using archive = await openRegular(place);
  const staging = below(workFolder(home), Buffer.from(`.innkeeper-${randomBytes(8).toString('hex')}.tmp`));
  mkdirSync(staging, { mode: 0o755 });
  try {
    // The paths of archives are text. A parent folder that is not can be reached by its handle only.
    const into = await textPathOf(staging);
    if (/zip$/i.test(suffix)) {
      const onBytes = (count: number, all: number) => {
        progress.total = all;
        progress.add(count);
      };
      await unpackZip(archive.handle.fd, archive.size, into, { limits, signal: progress.signal, onBytes });
    } else await unpackTar(archive, into, progress);
    const target = freePlace(below(parent, Buffer.from(name.slice(0, -suffix.length), 'latin1')));
    renameSync(staging, target);
    return target;
  } catch (error) {
    await removeTree(staging);
    throw error;
  }
}

async function textPathOf(folder: Buffer): Promise<string> {
  const text = folder.toString('utf8');
  if (!Buffer.from(text).equals(folder)) throw new FileFailure('invalid');
  return text;
}

/** Links are made last, so that nothing is written through one. Those that lead out of the folder are left out. */
async function unpackTar(archive: OpenFile, into: string, progress: Progress): Promise<void> {
  const check = new ArchiveCheck(archive.size, limits);
  const links: { path: string[]; target: string }[] = [];
  progress.total = archive.size;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      readEntry(entry).then(
        () => entry.resume(),
        (error: unknown) => {
          fail(error);
          entry.resume();
        },
      );
    },
  });
  const readEntry = async (entry: ReadEntry) => {
    progress.signal.throwIfAborted();
    const isFolder = entry.type === 'Directory';
    const isLink = entry.type === 'SymbolicLink';
    const isFile = entry.type === 'File' || entry.type === 'OldFile' || entry.type === 'ContiguousFile';
    if (!isFolder && !isLink && !isFile) {
      progress.skipped += 1;
      return;
    }
    const refusal = check.add({
      name: isFolder && !entry.path.endsWith('/') ? `${entry.path}/` : entry.path,
      compressedSize: 0,
      uncompressedSize: isFile ? entry.size : 0,
      compressionMethod: 0,
      generalPurposeBitFlag: 0,
      externalFileAttributes: 0,
    });
    if (refusal !== undefined) throw new ArchiveFailure(refusal);
    const path = archivePathOf(entry.path);
    const place = join(into, ...path);
    if (isLink) links.push({ path, target: entry.linkpath ?? '' });
    else if (isFolder) mkdirSync(place, { recursive: true, mode: 0o755 });
    else await writeEntry(entry, place);
  };
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', (error: unknown) => reject(unreadable(error)));
  });
  ended.catch(() => {});
  const source = Readable.from(
    (async function* () {
      for await (const chunk of readBytes(archive, 0, archive.size)) {
        yield chunk;
        progress.add(chunk.length);
      }
    })(),
    { objectMode: false },
  );
  source.once('error', fail);
  source.pipe(parser as unknown as NodeJS.WritableStream);
  try {
    await Promise.race([ended, failed]);
  } finally {
    source.destroy();
  }
  const refusal = check.finish();
  if (refusal !== undefined) throw new ArchiveFailure(refusal);
  for (const link of links) makeLink(into, link, progress);
}

async function writeEntry(entry: ReadEntry, place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(place, flags, ((entry.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755);
  try {
    for await (const chunk of entry) await writeWhole(file, chunk as Buffer);
  } finally {
    await file.close();
  }
}

function makeLink(
  into: string,
  { path, target }: { path: string[]; target: string },
  progress: Progress,
): void {
  const leadsTo = normalize(join(...path.slice(0, -1), target));
  if (target === '' || target.startsWith('/') || leadsTo === '..' || leadsTo.startsWith('../')) {
    progress.skipped += 1;
    return;
  }
  const place = join(into, ...path);
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  symlinkSync(target, place);
}

function unreadable(error: unknown): ArchiveFailure {
  const reason = (error as Error).message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
  return new ArchiveFailure(`The archive cannot be read: ${reason.replace(/\.?$/, '.')}`);
}
