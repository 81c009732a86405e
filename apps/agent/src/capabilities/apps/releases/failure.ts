import { stripVTControlCharacters } from 'node:util';
import type { AppSpec } from '@innkeeper/protocol';
import { z } from 'zod';
import { backoffMs } from '../../../node/backoff.ts';
import type { TaskEnd } from '../task/host.ts';
import type { TaskResult } from '../task/job.ts';
import { failureOfRelease, wantedRelease } from './app-view.ts';
import type { AppRecord, ArchiveState, DeploySettings } from './host.ts';

const MAX_ATTEMPTS = 6;
/** Attempts without a wait: so a restart of the machine or of the agent causes no delay. */
const AT_ONCE_ATTEMPTS = 2;
const RETRY = { firstMs: 5_000, longestMs: 120_000 };
const TAIL_MAX_CHARACTERS = 4_000;
const SENTENCE_MAX_CHARACTERS = 1_000;
const SECRET_MIN_CHARACTERS = 4;
/** A shorter line of a multi-line secret is not treated as a part of the secret. */
const SECRET_LINE_CHARACTERS = 12;

/** Untrusted: written by the tenant. Anything that does not match the schema is ignored. */
const resultSchema: z.ZodType<TaskResult> = z.strictObject({
  release: z.string(),
  attempt: z.int(),
  sentence: z.string(),
  retry: z.boolean(),
  tail: z.string(),
});

export interface Reason {
  readonly sentence: string;
  readonly retry: boolean;
  readonly tail: string;
  /** The attempt did not fail: something outside interrupted it. */
  readonly interrupted?: boolean;
}

const INTERRUPTED = { sentence: 'The task was stopped before it finished.', retry: true, interrupted: true };

/** Returns why a task did not make its release ready. `written`: the task's result, if it wrote one. */
export function reasonOfTask(
  written: string,
  task: { readonly release: string; readonly attempt: number },
  end: TaskEnd,
  settings: DeploySettings,
): Reason {
  const result = readResult(written);
  const own = result?.release === task.release && result.attempt === task.attempt ? result : undefined;
  const tail = own?.tail ?? '';
  if (end === 'timeout')
    return { sentence: `The task timed out after ${settings.buildTimeoutS} s.`, retry: false, tail };
  if (end === 'oom-kill')
    return { sentence: 'The task needed more memory than the limit of the account.', retry: false, tail };
  return own ?? { ...INTERRUPTED, tail };
}

export function reasonOfArchive(archive: ArchiveState | undefined): Reason {
  return archive?.kind === 'failed' ? { ...archive, tail: '' } : { ...INTERRUPTED, tail: '' };
}

/** Returns the number of the next attempt at the wanted release, from 1. */
export function attemptOf(record: AppRecord, app: AppSpec): number {
  return (failureOfRelease(record, wantedRelease(app), app.retries)?.attempts ?? 0) + 1;
}

/** Returns the record of a failed attempt: the time of the next attempt, or no retry. */
export function failedRecord(record: AppRecord, app: AppSpec, reason: Reason, now: number): AppRecord {
  const release = wantedRelease(app);
  const attempts = attemptOf(record, app);
  const atOnce = reason.interrupted === true && attempts <= AT_ONCE_ATTEMPTS;
  const delay = atOnce ? 0 : backoffMs(RETRY, attempts);
  const retryAt = reason.retry && attempts < MAX_ATTEMPTS ? now + delay : null;
  return {
    ...record,
    task: null,
    failure: { release, reason: shown(reason, app), attempts, retryAt, retries: app.retries },
  };
}

/**
 * Removes the app's secrets from the reason: build output may contain them, and readers of the reason may not know
 * them.
 */
function shown({ sentence, tail }: Reason, app: AppSpec): string {
  const text = tail.trim() === '' ? cut(sentence) : `${cut(sentence)}\n\n${printable(tail)}`;
  const secrets = app.env
    .filter(({ is_secret, value }) => is_secret && value.length >= SECRET_MIN_CHARACTERS)
    .flatMap(({ value }) => [
      value,
      ...value.split(/\r?\n/).filter((line) => line.length >= SECRET_LINE_CHARACTERS),
    ]);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function cut(sentence: string): string {
  return printable(sentence).slice(0, SENTENCE_MAX_CHARACTERS);
}

/** Removes colours, bells and other terminal control characters. */
function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .trim()
    .slice(-TAIL_MAX_CHARACTERS);
}

function readResult(written: string): TaskResult | undefined {
  try {
    return resultSchema.safeParse(JSON.parse(written)).data;
  } catch {
    return undefined;
  }
}
