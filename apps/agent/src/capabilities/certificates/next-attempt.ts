import { backoffMs } from '../../node/backoff.ts';
import { HostError } from '../../node/host-error.ts';
import { AuthorityError } from './authority.ts';
import type { CertificateRecord } from './certificate-record.ts';
import { NameNotHere } from './name-check.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Authorities count refused orders. Failures of a name server or a network have no such cost. */
const REFUSED = { firstMs: 5 * MINUTE_MS, longestMs: 24 * HOUR_MS, jitter: 0.1 };
const NOT_REFUSED = { firstMs: MINUTE_MS, longestMs: HOUR_MS, jitter: 0.1 };
const BEGUN_FREELY = 3;

type Failure = NonNullable<CertificateRecord['failure']>;

export interface FailedAttempt {
  readonly error: unknown;
  readonly revision: number;
  /** ms since 1970. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Returns the record of a failed attempt: the message, and when to retry. */
export function failureAfter(
  before: Failure | null,
  { error, revision, now, random }: FailedAttempt,
): Failure {
  const in_a_row = (before?.in_a_row ?? 0) + 1;
  const isAuthoritys = error instanceof AuthorityError;
  const backoff = backoffMs(isAuthoritys && error.refused ? REFUSED : NOT_REFUSED, in_a_row, random);
  const waitMs = isAuthoritys ? error.waitMs : undefined;
  return {
    revision,
    error: wordsOf(error),
    in_a_row,
    retry_at: Math.round(now + Math.max(backoff, waitMs ?? 0)),
    must_wait: waitMs !== undefined,
    refused: isAuthoritys && error.refused,
  };
}

/**
 * Returns from when on a certificate of this revision may be attempted, ms since 1970. A revision without any attempt
 * shortens the wait after a failure, with two exceptions. It never shortens a wait that the authority requested. It
 * shortens the wait after a refusal only once an hour. An attempt that started repeatedly without an end, because the
 * agent died, gets the same backoff as a failure.
 */
export function nextAttemptAt(record: CertificateRecord, revision: number): number {
  const { failure, begun, begun_at, skipped_at } = record;
  const interrupted = begun <= BEGUN_FREELY ? 0 : begun_at + backoffMs(REFUSED, begun - BEGUN_FREELY);
  if (failure === null) return interrupted;
  const maySkip = failure.revision !== revision && !failure.must_wait;
  const skippableAt = failure.refused && skipped_at > 0 ? skipped_at + HOUR_MS : 0;
  const failed = maySkip ? Math.min(failure.retry_at, skippableAt) : failure.retry_at;
  return Math.max(interrupted, failed);
}

/** Returns whether the error is an expected failure of an attempt. Any other error is a defect of the agent. */
export function isForeseen(error: unknown): error is AuthorityError | NameNotHere | HostError {
  return [AuthorityError, NameNotHere, HostError].some((kind) => error instanceof kind);
}

function wordsOf(error: unknown): string {
  return isForeseen(error) && error.message !== ''
    ? error.message.replaceAll(/[\p{Cc}]+/gu, ' ').slice(0, 1_900)
    : 'An unexpected error occurred. See the log of the agent.';
}
