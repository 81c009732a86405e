import { expect, test } from 'vitest';
import { AuthorityError } from './authority.ts';
import type { CertificateRecord } from './certificate-record.ts';
import { NameNotHere } from './name-check.ts';
import { failureAfter, nextAttemptAt } from './next-attempt.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
type Failure = CertificateRecord['failure'];

/** The waits, in minutes, after so many failures in a row. */
function waits(error: unknown, times: number): number[] {
  let failure: Failure = null;
  return Array.from({ length: times }, () => {
    failure = failureAfter(failure, { error, revision: 1, now: 0, random: 0.5 });
    return failure.retry_at / MINUTE_MS;
  });
}

function record(changes: Partial<CertificateRecord>): CertificateRecord {
  const nothing = { order: null, begun: 0, begun_at: 0, skipped_at: 0, failure: null, held: [] };
  return { uid: 20_000, domain_id: 1, name: 'demo.example.com', ...nothing, ...changes };
}

test('waits minutes after a refusal, then longer, at most a day', () => {
  const refused = new AuthorityError('no', { refused: true });
  expect(waits(refused, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440, 1_440]);
});

test('retries a wrong name and an unreachable authority more often', () => {
  const expected = [1, 2, 4, 8, 16, 32, 60, 60];
  expect(waits(new NameNotHere('elsewhere'), 8)).toEqual(expected);
  expect(waits(new AuthorityError('away', { refused: false }), 8)).toEqual(expected);
});

test('waits as long as the authority requests, and never less than the backoff', () => {
  const limited = (waitMs: number) => new AuthorityError('too many', { refused: true, waitMs });
  expect(waits(limited(36 * HOUR_MS), 2)).toEqual([36 * 60, 36 * 60]);
  expect(waits(limited(1_000), 2)).toEqual([5, 10]);
});

test('a new revision skips the wait, once an hour, and never a wait that the authority requested', () => {
  const of = (error: unknown) => failureAfter(null, { error, revision: 1, now: 0, random: 0.5 });
  const refused = record({ failure: of(new AuthorityError('no', { refused: true })) });
  expect([nextAttemptAt(refused, 1), nextAttemptAt(refused, 2)]).toEqual([5 * MINUTE_MS, 0]);
  const failure = { ...refused.failure!, retry_at: 24 * HOUR_MS };
  expect(nextAttemptAt(record({ failure, skipped_at: 1 }), 2)).toBe(HOUR_MS + 1);
  const elsewhere = record({ failure: of(new NameNotHere('elsewhere')), skipped_at: 1 });
  expect(nextAttemptAt(elsewhere, 2)).toBe(0);
  const limited = new AuthorityError('no', { refused: true, waitMs: HOUR_MS });
  expect(nextAttemptAt(record({ failure: of(limited) }), 2)).toBe(HOUR_MS);
});

test('applies backoff when the agent dies during orders repeatedly', () => {
  const begun = [1, 3, 4, 5].map((times) => nextAttemptAt(record({ begun: times, begun_at: 1_000 }), 1));
  expect(begun).toEqual([0, 0, 1_000 + 5 * MINUTE_MS, 1_000 + 10 * MINUTE_MS]);
});

test('reports the authority’s message in one line; unexpected errors go to the log only', () => {
  const words = (error: unknown) => failureAfter(null, { error, revision: 1, now: 0, random: 0 }).error;
  expect(words(new AuthorityError('Policy forbids\nissuing', { refused: true }))).toBe(
    'Policy forbids issuing',
  );
  expect(words(new AuthorityError('x'.repeat(5_000), { refused: true }))).toHaveLength(1_900);
  expect(words(new TypeError('secret is not a function'))).not.toContain('secret');
});
