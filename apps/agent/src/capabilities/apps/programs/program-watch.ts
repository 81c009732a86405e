import { type FSWatcher, watch } from 'node:fs';
import { readProgramUnit } from './programs.ts';

/**
 * Tells whose programs have started, ended or failed, as it happens: systemd keeps a link for each unit that is not
 * at rest, named after it, in /run/systemd/units. Where there is no such folder nothing is told, and what has happened
 * is seen when drift is looked for.
 */
const FOLDER = '/run/systemd/units';
const PREFIX = 'invocation:';

export function watchPrograms(onChange: (uid: number) => void, onLost: (error: unknown) => void): () => void {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(FOLDER, { persistent: false }, (_, name) => {
      const unit = name?.startsWith(PREFIX) === true ? readProgramUnit(name.slice(PREFIX.length)) : undefined;
      if (unit !== undefined) onChange(unit.uid);
    });
    watcher.on('error', onLost);
  } catch (error) {
    onLost(error);
  }
  return () => watcher?.close();
}
