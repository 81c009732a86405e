import { createHash } from 'node:crypto';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { AppRecord } from '../releases/host.ts';
import type { ProgramState } from './host.ts';
import { encodeProgramConfig, programConfig, releaseIn } from './program-config.ts';

/** From which release a program is to run, and with what (docs/design/apps.md). */
export interface Choice {
  readonly text: string;
  /** The release to go back to; undefined while there is none, or it serves already. */
  readonly spare: string | undefined;
  /** The release that serves because the wanted one does not come up. */
  readonly fallenBackTo: string | undefined;
}

/**
 * The wanted release, or the one before it while the wanted one is known not to come up with what it would be started with. An
 * app that was stopped is tried again: the stop forgets it.
 */
export function chooseRelease(
  spec: AccountSpec,
  app: AppSpec,
  folder: string,
  record: AppRecord | undefined,
): Choice {
  const text = encodeProgramConfig(programConfig(spec, app, folder));
  const spare = record?.former?.release;
  if (record === undefined || spare === undefined || releaseIn(text) === spare)
    return { text, spare: undefined, fallenBackTo: undefined };
  if (record.broken?.digest !== digestOf(text)) return { text, spare, fallenBackTo: undefined };
  const before = encodeProgramConfig(programConfig(spec, app, join(dirname(folder), spare)));
  return { text: before, spare: undefined, fallenBackTo: spare };
}

/** Whether the program was up since its release was swapped in. After a boot nobody knows: then it counts as if. */
export function hasComeUp({ readyAtMs }: ProgramState, record: AppRecord | undefined): boolean {
  const swappedAt = record?.former?.swappedAt ?? 0;
  const bootedAt = Date.now() - uptime() * 1_000;
  return swappedAt < bootedAt || (readyAtMs !== undefined && readyAtMs > swappedAt);
}

/** Names what a program is started with, without its secrets. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
