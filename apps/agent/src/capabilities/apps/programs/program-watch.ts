import { type FSWatcher, watch } from 'node:fs';
import { readProgramUnit } from './program-units.ts';

/**
 * Reports the owners of programs that have just started, ended or failed. systemd keeps a link in /run/systemd/units
 * for each unit that is not inactive, with the unit's name. Where this folder does not exist, nothing is reported, and
 * the next check for drift finds the changes.
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
