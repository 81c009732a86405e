import { readFile } from 'node:fs/promises';
import type { ServerWarning } from '@innkeeper/protocol';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A property of the server that is weaker than accounts are promised. */
export interface Weakness {
  readonly code: ServerWarning;
  /** For the log. Other components act on the code. */
  readonly sentence: string;
}

export interface ServerWarningsDeps {
  /** Returns all weaknesses that exist now. */
  readonly find: () => Promise<readonly Weakness[]>;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

/** The codes that a server reports with each heartbeat. */
export interface ServerWarnings {
  /** Sorted, without duplicates. */
  codes(): ServerWarning[];
  /** For sources that report themselves when a weakness appears and disappears. */
  set(code: ServerWarning, isOn: boolean): void;
  stop(): void;
}

/** Checks at intervals. Logs each weakness once when it appears, and logs when the last weakness of a code is gone. */
export function watchServerWarnings({ find, everyMs, clock, log }: ServerWarningsDeps): ServerWarnings {
  let found: readonly Weakness[] = [];
  const reported = new Set<ServerWarning>();
  let isStopped = false;
  let cancel = () => {};

  const check = async () => {
    try {
      const now = await find();
      const [before, after] = [found, now].map((all) => new Set(all.map(({ sentence }) => sentence)));
      for (const { code, sentence } of now)
        if (!before?.has(sentence))
          log.warn({ code, weakness: sentence }, 'A protection of accounts on this server is missing.');
      for (const { code, sentence } of found)
        if (!after?.has(sentence))
          log.info({ code, weakness: sentence }, 'A protection of accounts on this server works again.');
      found = now;
    } catch (error) {
      log.warn({ err: error }, 'The check of the server’s protections failed.');
    }
    if (!isStopped) cancel = clock.after(everyMs, () => void check());
  };
  void check();

  return {
    codes: () => [...new Set([...found.map(({ code }) => code), ...reported])].sort(),
    set: (code, isOn) => void (isOn ? reported.add(code) : reported.delete(code)),
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

/**
 * Detects whether accounts can see each other's processes. `mountInfo`: a file as in proc(5). Process 1 has the mounts
 * of the server; systemd may give the agent its own /proc. If the mounts cannot be read, nothing is reported.
 */
export async function findVisibleProcesses(mountInfo = '/proc/1/mountinfo'): Promise<Weakness[]> {
  const text = await readFile(mountInfo, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const mounts = text.split('\n').map((line) => line.split(' '));
  const options = mounts.findLast(([, , , , mountPoint]) => mountPoint === '/proc')?.at(-1) ?? '';
  if (/(?:^|,)hidepid=(?:2|4|invisible|ptraceable)(?:,|$)/.test(options)) return [];
  return [{ code: 'PROCESSES_VISIBLE', sentence: '/proc is mounted without hidepid=invisible.' }];
}
