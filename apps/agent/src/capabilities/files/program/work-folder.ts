import { readdirSync } from 'node:fs';
import { joinWirePath } from '@innkeeper/domain';
import { ensureFolder } from './changes.ts';
import { below, findEntry, type Home, STATE_FOLDER } from './home.ts';
import { removeTree } from './trees.ts';

const WORK = joinWirePath(STATE_FOLDER, 'work');
const KEPT_MS = 24 * 3_600_000;

/**
 * The folder of unfinished archives and extractions. What a killed program left in it counts against the quota, so it is removed a day
 * later.
 */
export function workFolder(home: Home): Buffer {
  const folder = ensureFolder(home, WORK, 0o700);
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const place = below(folder, name);
    const stats = findEntry(place);
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS) void removeTree(place).catch(() => {});
  }
  return folder;
}
