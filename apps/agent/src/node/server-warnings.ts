import { readFile } from 'node:fs/promises';
import type { ServerWarning } from '@innkeeper/protocol';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Something of the server that is weaker than accounts are promised. */
export interface Weakness {
  readonly code: ServerWarning;
  /** For the log; codes are what others act on. */
  readonly sentence: string;
}

export interface ServerWarningsDeps {
  /** All that a look finds. */
  readonly find: () => Promise<readonly Weakness[]>;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

/** The codes that a server reports with each heartbeat. */
export interface ServerWarnings {
  /** Sorted, each once. */
  codes(): ServerWarning[];
  /** For what tells by itself when it is weaker, and when it is not. */
  set(code: ServerWarning, isOn: boolean): void;
  stop(): void;
}

/** Looks now and again, logs each weakness once when it appears, and says when the last of a code is gone. */
export function watchServerWarnings({ find, everyMs, clock, log }: ServerWarningsDeps): ServerWarnings {
  let found: readonly Weakness[] = [];
  const told = new Set<ServerWarning>();
  let isStopped = false;
  let cancel = () => {};

  const look = async () => {
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
    if (!isStopped) cancel = clock.after(everyMs, () => void look());
  };
  void look();

  return {
    codes: () => [...new Set([...found.map(({ code }) => code), ...told])].sort(),
    set: (code, isOn) => void (isOn ? told.add(code) : told.delete(code)),
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

/**
 * Whether accounts see each other's processes. `mountInfo`: as proc(5) has it. The first process has the mounts of the
 * server; systemd may give the agent a /proc of its own. Where they cannot be read nothing is found.
 */
export async function findVisibleProcesses(mountInfo = '/proc/1/mountinfo'): Promise<Weakness[]> {
  const text = await readFile(mountInfo, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const mounts = text.split('\n').map((line) => line.split(' '));
  const options = mounts.findLast(([, , , , mountPoint]) => mountPoint === '/proc')?.at(-1) ?? '';
  if (/(?:^|,)hidepid=(?:2|4|invisible|ptraceable)(?:,|$)/.test(options)) return [];
  return [{ code: 'PROCESSES_VISIBLE', sentence: '/proc is mounted without hidepid=invisible.' }];
}
