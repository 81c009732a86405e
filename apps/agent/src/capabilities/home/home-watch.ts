import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { statIfThere } from '../../node/if-there.ts';
import { HOME_MODE } from './homes.ts';

/**
 * Reports the name of each account whose home has the wrong owner or mode: a customer opens a home to all, or an
 * administrator gives one to root. Without this watch, the next check for drift finds it. Only entries of /home are
 * watched, so changes inside homes cost nothing.
 *
 * An account may change its home as often as it likes, so each account is reported at most once in QUIET_MS. When there
 * are more events than administrators make, watching pauses for a while.
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
  const reported = new Map<string, { again: boolean }>();
  let watcher: FSWatcher | undefined;
  let resume: NodeJS.Timeout | undefined;
  let events = 0;
  const forget = setInterval(() => {
    events = 0;
  }, 1_000).unref();

  /** A home that was just created, or repaired, is right and is not reported. */
  const reportIfOpen = async (name: string) => {
    const home = await statIfThere(join(folder, name)).catch(() => undefined);
    if (home !== undefined && (home.uid === 0 || (home.mode & 0o7777) !== HOME_MODE)) onChange(name);
  };
  const report = (name: string, delayMs: number) => {
    const state = { again: false };
    reported.set(name, state);
    setTimeout(() => void reportIfOpen(name), delayMs).unref();
    setTimeout(() => {
      reported.delete(name);
      if (state.again) report(name, 0);
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
        const state = reported.get(name);
        if (state === undefined) report(name, SETTLE_MS);
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
