import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { statIfThere } from '../../node/if-there.ts';
import { HOME_MODE } from './homes.ts';

/**
 * Tells by name whose home has got other access than a home should have: a customer who opens a home to all, an administrator who
 * gives one to root. Otherwise that is seen when drift is looked for. Only entries of /home are watched, so what happens
 * in homes costs nothing.
 *
 * An account may change its home as often as it likes: it is told once in QUIET_MS, and where there are more events than
 * administrators make, nothing is watched for a while.
 */
const HOMES = '/home';
const SETTLE_MS = 100;
const QUIET_MS = 5_000;
const MOST_EVENTS = 500;
const PAUSE_MS = 30_000;

export function watchHomes(
  onChange: (name: string) => void,
  onLost: (error: unknown) => void,
  folder = HOMES,
): () => void {
  const told = new Map<string, { again: boolean }>();
  let watcher: FSWatcher | undefined;
  let resume: NodeJS.Timeout | undefined;
  let events = 0;
  const forget = setInterval(() => {
    events = 0;
  }, 1_000).unref();

  /** One that was made, or put right, is as it should be. */
  const tellIfOpen = async (name: string) => {
    const home = await statIfThere(join(folder, name)).catch(() => undefined);
    if (home !== undefined && (home.uid === 0 || (home.mode & 0o7777) !== HOME_MODE)) onChange(name);
  };
  const tell = (name: string, delayMs: number) => {
    const state = { again: false };
    told.set(name, state);
    setTimeout(() => void tellIfOpen(name), delayMs).unref();
    setTimeout(() => {
      told.delete(name);
      if (state.again) tell(name, 0);
    }, QUIET_MS).unref();
  };
  const begin = () => {
    resume = undefined;
    try {
      watcher = watch(folder, { persistent: false }, (_, name) => {
        events += 1;
        if (events > MOST_EVENTS) {
          watcher?.close();
          resume ??= setTimeout(begin, PAUSE_MS).unref();
          return;
        }
        if (name === null || name.startsWith('.')) return;
        const state = told.get(name);
        if (state === undefined) tell(name, SETTLE_MS);
        else state.again = true;
      });
      watcher.on('error', onLost);
    } catch (error) {
      onLost(error);
    }
  };

  begin();
  return () => {
    clearInterval(forget);
    clearTimeout(resume);
    watcher?.close();
  };
}
