import { readdirSync, type Stats } from 'node:fs';
import { below, findEntry, nameIn } from './home.ts';

export interface Walked {
  readonly place: Buffer;
  /** Names from the start of the walk, with the start's own name first. */
  readonly path: Buffer;
  readonly stats: Stats;
}

const SLASH = Buffer.from('/');

/**
 * All entries of some files and folders, each folder before what is in it. Links are entries and never followed.
 * An unreadable folder is an entry without content. `isLeftOut`: entries that are not visited.
 */
export function* walk(
  places: readonly Buffer[],
  isLeftOut: (place: Buffer, stats: Stats) => boolean = () => false,
): Generator<Walked> {
  const waiting = places.toReversed().map((place) => ({ place, path: nameIn(place) }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, path } = next;
    const stats = findEntry(place);
    if (stats === undefined || isLeftOut(place, stats)) continue;
    yield { place, path, stats };
    if (!stats.isDirectory()) continue;
    for (const name of namesIn(place).reverse())
      waiting.push({ place: below(place, name), path: Buffer.concat([path, SLASH, name]) });
  }
}

function namesIn(folder: Buffer): Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare);
  } catch {
    return [];
  }
}
