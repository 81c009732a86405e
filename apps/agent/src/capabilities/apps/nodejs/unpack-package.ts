import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Parser, type ReadEntry } from 'tar';
import { HostError } from '../../../node/host-error.ts';

/**
 * Unpacks the tarball of a package below a folder that only root may enter. A registry's tarball contains only files
 * below one folder. Any entry that is neither a file nor a folder, or whose path could leave the folder, ends the
 * unpacking with an error. Modes are reduced to whether a file is executable.
 */
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_ENTRIES = 50_000;
const SAFE_PART = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;

/** Strips the first folder of every path. `keeps` selects by the remaining path. Throws HostError. */
export async function unpackPackage(
  tarball: string,
  into: string,
  keeps: (path: string) => boolean = () => true,
): Promise<void> {
  let bytes = 0;
  let entries = 0;
  let writing: Promise<void> = Promise.resolve();
  const parser = new Parser({ strict: true });
  const take = async (entry: ReadEntry): Promise<void> => {
    entries += 1;
    bytes += entry.size;
    if (entries > MOST_ENTRIES || bytes > MOST_BYTES) throw refuse('is larger than any package');
    const path = pathOf(entry);
    if (entry.type === 'Directory' || !keeps(path)) return void entry.resume();
    await writeEntry(entry, join(into, path));
  };
  parser.on('entry', (entry: ReadEntry) => {
    writing = writing.then(() => take(entry));
    writing.catch((error: unknown) => parser.abort(error as Error));
  });
  try {
    await pipeline(createReadStream(tarball), parser as unknown as NodeJS.WritableStream);
    await writing;
  } catch (aborted) {
    const error: unknown = await writing.then(
      () => aborted,
      (failure: unknown) => failure,
    );
    if (error instanceof HostError) throw error;
    throw refuse(`cannot be unpacked: ${(error as Error).message}`, error);
  }
}

function pathOf(entry: ReadEntry): string {
  if (!['File', 'OldFile', 'ContiguousFile', 'Directory'].includes(entry.type))
    throw refuse(`has an entry that is neither file nor folder (${entry.type})`);
  const [, ...parts] = entry.path.replace(/\/$/, '').split('/');
  if (
    entry.path.startsWith('/') ||
    !parts.every((part) => SAFE_PART.test(part)) ||
    entry.path.startsWith('..')
  )
    throw refuse('has an entry outside of its folder');
  if (parts.length === 0 && entry.type !== 'Directory') throw refuse('has a file beside its folder');
  return parts.join('/');
}

async function writeEntry(entry: ReadEntry, path: string): Promise<void> {
  await makeFolder(dirname(path));
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of entry) await file.writeFile(chunk);
    await file.chmod(((entry.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755);
  } finally {
    await file.close();
  }
}

/** Creates the folder with the mode that other users need to read below it, whatever the umask is. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o755 });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) {
    const made = await open(folder, 'r');
    await made.chmod(0o755);
    await made.close();
  }
}

function refuse(what: string, cause?: unknown): HostError {
  return new HostError('Failed', `A package ${what}.`, { retryable: true, cause });
}
