import type { CertificateColumns, ObservedDomain } from '@innkeeper/db';
import type { CertificateStatus, DomainStatus } from '@innkeeper/protocol';

type Change = CertificateColumns & { id: number };

/**
 * Compares the reported certificates of an account's domains with the stored ones and returns only the differences.
 * Issuer and expiry belong to the active certificate of any revision. The status belongs to the wanted revision: a
 * report about an older revision leaves it pending. A revision that was never requested is ignored. `rescheduled`: only
 * the time of the next attempt is another one.
 */
export function certificateOutcomes(
  domains: readonly ObservedDomain[],
  reported: readonly DomainStatus[],
  now: Date,
): { changed: Change[]; rescheduled: Change[] } {
  const reports = new Map(reported.map(({ domain_id, certificate }) => [domain_id, certificate]));
  const changed: Change[] = [];
  const rescheduled: Change[] = [];
  for (const domain of domains) {
    const report = reports.get(domain.id);
    if (!report || domain.state === 'removing' || report.revision > domain.certificate_revision) continue;
    const columns = columnsOf(domain, report, now);
    if (differs(domain, columns)) changed.push({ id: domain.id, ...columns });
    else if (!isSameTime(domain.ssl_next_attempt_at, columns.ssl_next_attempt_at))
      rescheduled.push({ id: domain.id, ...columns });
  }
  return { changed, rescheduled };
}

function columnsOf(domain: ObservedDomain, report: CertificateStatus, now: Date): CertificateColumns {
  const serves = report.expires_at > 0;
  const isKnown = domain.ssl_expires_at?.getTime() === report.expires_at * 1_000;
  const isNewest = report.revision === domain.certificate_revision;
  const ssl_status = isNewest ? report.status : domain.ssl_status;
  const { next_attempt_at } = report;
  return {
    ssl_status,
    ssl_issuer: serves && report.issuer !== '' ? report.issuer : null,
    ssl_expires_at: serves ? new Date(report.expires_at * 1_000) : null,
    ssl_issued_at: serves ? (isKnown ? domain.ssl_issued_at : now) : null,
    ssl_error: isNewest ? errorOf(report) : domain.ssl_error,
    ssl_failing_since: ssl_status === 'failed' ? (domain.ssl_failing_since ?? now) : null,
    ssl_next_attempt_at:
      ssl_status === 'failed' && next_attempt_at !== undefined ? new Date(next_attempt_at * 1_000) : null,
  };
}

function errorOf({ status, error }: CertificateStatus): string | null {
  return status === 'active' || error === '' ? null : error;
}

function differs(stored: CertificateColumns, told: CertificateColumns): boolean {
  return (
    stored.ssl_status !== told.ssl_status ||
    stored.ssl_issuer !== told.ssl_issuer ||
    !isSameTime(stored.ssl_expires_at, told.ssl_expires_at) ||
    stored.ssl_error !== told.ssl_error
  );
}

function isSameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}
