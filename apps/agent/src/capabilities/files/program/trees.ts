import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { openRegular, readBytes, writeWhole } from './content.ts';
import { FileFailure } from './file-failure.ts';
import { below, findEntry, freePlace, isAtOrBelow, nameIn } from './home.ts';
import type { Progress } from './progress.ts';
import { walk } from './walk.ts';

/** Copies entries into a folder, beside what is there. Links are copied as links. A cancelled or failed copy is removed. */
export async function copyInto(
  places: readonly Buffer[],
  folder: Buffer,
  progress: Progress,
): Promise<Buffer[]> {
  for (const place of places)
    if (findEntry(place)?.isDirectory() === true && isAtOrBelow(folder, place))
      throw new FileFailure('inside_itself');
  for (const { stats } of walk(places)) {
    progress.total += stats.isFile() ? stats.size : 0;
    await progress.step();
  }
  const copies: Buffer[] = [];
  try {
    for (const place of places) {
      const copy = freePlace(below(folder, nameIn(place)));
      if (findEntry(place) === undefined) throw new FileFailure('not_found');
      copies.push(copy);
      await copyTree(place, copy, progress);
    }
  } catch (error) {
    for (const copy of copies) await removeTree(copy);
    throw error;
  }
  return copies;
}

async function copyTree(from: Buffer, to: Buffer, progress: Progress): Promise<void> {
  const root = nameIn(from).length;
  const closed: { place: Buffer; mode: number }[] = [];
  for (const { place, path, stats } of walk([from])) {
    const target = Buffer.concat([to, path.subarray(root)]);
    if (stats.isDirectory()) {
      mkdirSync(target, { mode: 0o700 });
      closed.push({ place: target, mode: stats.mode & 0o777 });
    } else if (stats.isSymbolicLink()) symlinkSync(readlinkSync(place, 'buffer'), target);
    else if (stats.isFile()) await copyFile(place, target, stats.mode & 0o777, progress);
    else progress.skipped += 1;
    await progress.step();
  }
  for (const { place, mode } of closed.reverse()) chmodSync(place, mode);
}

async function copyFile(from: Buffer, to: Buffer, mode: number, progress: Progress): Promise<void> {
  await using source = await openRegular(from);
  const target = await open(to, 'wx', 0o600);
  try {
    for await (const chunk of readBytes(source, 0, source.size)) {
      await writeWhole(target, chunk);
      progress.add(chunk.length);
    }
    await target.chmod(mode);
  } finally {
    await target.close();
  }
}

/** Removes an entry with everything in it, link by link: nothing that a link leads to. */
export async function removeTree(place: Buffer, progress?: Progress): Promise<void> {
  const stats = findEntry(place);
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    // A folder without these rights cannot be emptied, and belongs to the account nevertheless.
    if ((stats.mode & 0o700) !== 0o700) chmodSync(place, 0o700);
    for (const name of readdirSync(place, { encoding: 'buffer' }))
      await removeTree(below(place, name), progress);
    rmdirSync(place);
  } else unlinkSync(place);
  progress?.add(1);
  await progress?.step();
}
