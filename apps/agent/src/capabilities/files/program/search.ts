import { constants, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { SearchFinds, WirePath } from '@innkeeper/domain';
import { below, findEntry, type Home } from './home.ts';
import { kindOf } from './list.ts';

const MOST_FINDS = 300;
const LONGEST_MS = 10_000;
/** Larger files are no text that somebody looks for. */
const FILE_MAX_BYTES = 4 * 1024 * 1024;
const EXCERPT_CHARACTERS = 160;

export interface Search {
  readonly text: string;
  readonly by: 'name' | 'content';
  readonly signal: AbortSignal;
}

/** Searches a folder and everything in it, without following links. Upper and lower case are the same. */
export async function search(home: Home, path: WirePath, { text, by, signal }: Search): Promise<SearchFinds> {
  const wanted = text.toLowerCase();
  const endsAt = performance.now() + LONGEST_MS;
  const finds: SearchFinds['finds'] = [];
  const folders = [home.folder(path)];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = readEntries(folder);
    for (const { name, isFolder, isFile } of entries) {
      seen += 1;
      if (seen % 500 === 0) await new Promise(setImmediate);
      signal.throwIfAborted();
      if (performance.now() > endsAt || finds.length >= MOST_FINDS) return { finds, is_cut: true };
      const place = below(folder, name);
      if (isFolder) folders.push(place);
      if (by === 'name') {
        const stats = name.toString().toLowerCase().includes(wanted) ? findEntry(place) : undefined;
        if (stats !== undefined) finds.push({ path: home.wire(place), kind: kindOf(stats) });
      } else if (isFile) {
        const line = await findLine(place, wanted);
        if (line !== undefined) finds.push({ path: home.wire(place), kind: 'file', ...line });
      }
    }
  }
  return { finds, is_cut: false };
}

/** An unreadable folder has nothing. */
function readEntries(folder: Buffer): { name: Buffer; isFolder: boolean; isFile: boolean }[] {
  try {
    return readdirSync(folder, { encoding: 'buffer', withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() }))
      .sort((one, other) => Buffer.compare(one.name, other.name));
  } catch {
    return [];
  }
}

async function findLine(
  place: Buffer,
  wanted: string,
): Promise<{ line: number; excerpt: string } | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(place, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > FILE_MAX_BYTES) return undefined;
    const bytes = await file.readFile();
    if (bytes.subarray(0, 8_192).includes(0)) return undefined;
    const text = bytes.toString();
    const at = text.toLowerCase().indexOf(wanted);
    if (at === -1) return undefined;
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const shownFrom = Math.max(start, at - 60);
    return {
      line: text.slice(0, at).split('\n').length,
      excerpt: text
        .slice(shownFrom, Math.min(end === -1 ? text.length : end, shownFrom + EXCERPT_CHARACTERS))
        .trim(),
    };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
