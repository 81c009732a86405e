import { constants, readdirSync, rmSync } from 'node:fs';
import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type FileStat, joinWirePath, type WirePath } from '@innkeeper/domain';
import { ensureFolder } from './changes.ts';
import { syncFolder, writeWhole } from './content.ts';
import { FileFailure } from './file-failure.ts';
import { below, findEntry, folderOf, type Home, STATE_FOLDER } from './home.ts';
import { statEntry } from './list.ts';

const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
const ID = /^[0-9a-f]{32}$/;
const KEPT_MS = 7 * 24 * 3_600_000;
const UPLOADS: WirePath = joinWirePath(STATE_FOLDER, 'uploads');

/** Bytes that have arrived of an upload. 0: none, or the upload is unknown. */
export async function uploadOffset(home: Home, id: string): Promise<number> {
  return findEntry(placeOf(home, id))?.size ?? 0;
}

/**
 * Appends a part of an upload. It must begin where the last one ended. What arrived before a lost connection is kept, so
 * the sender asks for the offset and goes on there.
 */
export async function appendUpload(
  home: Home,
  id: string,
  { offset, size }: { offset: number; size: number },
  content: Readable,
): Promise<number> {
  const place = placeOf(home, id);
  if (offset === 0) removeOld(home);
  const handle = await open(place, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  let at = offset;
  try {
    const arrived = (await handle.stat()).size;
    if (arrived !== offset) throw new FileFailure('offset', { offset: arrived });
    for await (const chunk of content) {
      if (at + chunk.length > size) throw new FileFailure('invalid');
      await writeWhole(handle, chunk as Buffer, at);
      at += chunk.length;
    }
  } finally {
    await handle.close();
  }
  return at;
}

export interface Finish {
  readonly path: WirePath;
  readonly size: number;
  /** An existing file is replaced. */
  readonly replaces: boolean;
}

/** Gives a complete upload its name. Missing folders of the path are made. */
export async function finishUpload(
  home: Home,
  id: string,
  { path, size, replaces }: Finish,
): Promise<FileStat> {
  const upload = placeOf(home, id);
  // An empty file has no part.
  const handle = await open(
    upload,
    size === 0 ? O_WRONLY | O_CREAT | O_NOFOLLOW : O_WRONLY | O_NOFOLLOW,
    0o600,
  );
  try {
    const arrived = (await handle.stat()).size;
    if (arrived !== size) throw new FileFailure('offset', { offset: arrived });
    await handle.chmod(0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  ensureFolder(home, parent);
  const place = home.entry(path);
  if (replaces) {
    if ((await lstat(place).catch(() => undefined))?.isDirectory() === true)
      throw new FileFailure('is_folder');
    await rename(upload, place);
  } else {
    await link(upload, place);
    await unlink(upload);
  }
  await syncFolder(folderOf(place));
  return statEntry(home, path);
}

export function removeUpload(home: Home, id: string): void {
  rmSync(placeOf(home, id), { force: true });
}

function placeOf(home: Home, id: string): Buffer {
  if (!ID.test(id)) throw new FileFailure('invalid');
  return below(ensureFolder(home, UPLOADS, 0o700), Buffer.from(id));
}

/** Abandoned uploads count against the quota. */
function removeOld(home: Home): void {
  const folder = ensureFolder(home, UPLOADS, 0o700);
  for (const name of readdirSync(folder)) {
    const place = below(folder, Buffer.from(name));
    const stats = ID.test(name) ? findEntry(place) : undefined;
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS) rmSync(place, { force: true });
  }
}
