import { createHash } from 'node:crypto';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { AppRecord } from '../releases/host.ts';
import type { ProgramState } from './host.ts';
import { encodeProgramConfig, programConfig, releaseIn } from './program-config.ts';

/** The release that a program should run from, and its configuration (docs/design/apps.md). */
export interface Choice {
  readonly text: string;
  /** The release to fall back to; undefined if there is none, or it already serves. */
  readonly spare: string | undefined;
  /** The release that serves because the wanted one does not start. */
  readonly fallenBackTo: string | undefined;
}

/**
 * Chooses the wanted release, or the previous one while the wanted one is known not to start with its configuration. An
 * app that was stopped is tried again, because a stop clears that knowledge.
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

/**
 * Returns whether the program was ready since its release was swapped in. After a boot this is unknown and counts as
 * true.
 */
export function hasComeUp({ readyAtMs }: ProgramState, record: AppRecord | undefined): boolean {
  const swappedAt = record?.former?.swappedAt ?? 0;
  const bootedAt = Date.now() - uptime() * 1_000;
  return swappedAt < bootedAt || (readyAtMs !== undefined && readyAtMs > swappedAt);
}

/** Digest of a program's configuration, so that no secret is stored. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
