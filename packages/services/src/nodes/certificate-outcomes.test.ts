import type { ObservedDomain } from '@innkeeper/db';
import type { CertificateStatus } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { certificateOutcomes } from './certificate-outcomes.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const EARLIER = new Date('2026-11-25T10:00:00Z');

const stored = (changes: Partial<ObservedDomain> = {}): ObservedDomain => ({
  id: 7,
  account_id: 1,
  domain_name: 'a.example.com',
  state: 'active',
  status: 'active',
  status_reason: null,
  certificate_revision: 2,
  ssl_status: 'pending',
  ssl_issuer: null,
  ssl_expires_at: null,
  ssl_issued_at: null,
  ssl_error: null,
  ssl_failing_since: null,
  ssl_next_attempt_at: null,
  ...changes,
});

const outcome = (domain: ObservedDomain, report: Partial<CertificateStatus>) => {
  const certificate = {
    status: 'failed',
    revision: 2,
    issuer: '',
    expires_at: 0,
    error: 'No.',
    ...report,
  } as const;
  return certificateOutcomes([domain], [{ domain_id: 7, status: 'active', reason: '', certificate }], NOW);
};

const seconds = (at: Date) => at.getTime() / 1_000;

test('the first failure in a row is when it began to fail; each says when it is tried again', () => {
  const next = new Date('2026-11-25T12:05:00Z');
  const { changed, rescheduled } = outcome(stored(), { next_attempt_at: seconds(next) });
  expect(rescheduled).toEqual([]);
  expect(changed).toMatchObject([
    { id: 7, ssl_status: 'failed', ssl_error: 'No.', ssl_failing_since: NOW, ssl_next_attempt_at: next },
  ]);
});

test('another time of the next attempt alone is no change of the certificate, and since when stays', () => {
  const failing = stored({
    ssl_status: 'failed',
    ssl_error: 'No.',
    ssl_failing_since: EARLIER,
    ssl_next_attempt_at: NOW,
  });
  const next = new Date('2026-11-25T14:00:00Z');
  const again = outcome(failing, { next_attempt_at: seconds(next) });
  expect(again.changed).toEqual([]);
  expect(again.rescheduled).toMatchObject([{ ssl_failing_since: EARLIER, ssl_next_attempt_at: next }]);
  expect(outcome(failing, { next_attempt_at: seconds(NOW) })).toEqual({ changed: [], rescheduled: [] });
  // Another reason is a change, and it has failed since the same time.
  const other = outcome(failing, { error: 'Still no.', next_attempt_at: seconds(next) });
  expect(other.changed).toMatchObject([{ ssl_error: 'Still no.', ssl_failing_since: EARLIER }]);
});

test('a success ends both, and an agent of the release before has no time', () => {
  const failing = stored({ ssl_status: 'failed', ssl_error: 'No.', ssl_failing_since: EARLIER });
  const { changed } = outcome(failing, { status: 'active', error: '', expires_at: 2_000_000_000 });
  expect(changed).toMatchObject([
    { ssl_status: 'active', ssl_error: null, ssl_failing_since: null, ssl_next_attempt_at: null },
  ]);
  expect(outcome(stored(), {}).changed).toMatchObject([{ ssl_next_attempt_at: null }]);
});
