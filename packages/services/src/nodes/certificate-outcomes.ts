import type { CertificateColumns, ObservedDomain } from '@innkeeper/db';
import type { CertificateStatus, DomainStatus } from '@innkeeper/protocol';

/**
 * Compares the reported certificates of an account's domains with the stored ones and returns only the differences.
 * Issuer and expiry belong to the active certificate of any revision. The status belongs to the wanted revision: a
 * report about an older revision leaves it pending. A revision that was never requested is ignored.
 */
export function certificateOutcomes(
  domains: readonly ObservedDomain[],
  reported: readonly DomainStatus[],
  now: Date,
): (CertificateColumns & { id: number })[] {
  const reports = new Map(reported.map(({ domain_id, certificate }) => [domain_id, certificate]));
  return domains.flatMap((domain) => {
    const report = reports.get(domain.id);
    if (!report || domain.state === 'removing' || report.revision > domain.certificate_revision) return [];
    const columns = columnsOf(domain, report, now);
    return differs(domain, columns) ? [{ id: domain.id, ...columns }] : [];
  });
}

function columnsOf(domain: ObservedDomain, report: CertificateStatus, now: Date): CertificateColumns {
  const serves = report.expires_at > 0;
  const isKnown = domain.ssl_expires_at?.getTime() === report.expires_at * 1_000;
  const isNewest = report.revision === domain.certificate_revision;
  return {
    ssl_status: isNewest ? report.status : domain.ssl_status,
    ssl_issuer: serves && report.issuer !== '' ? report.issuer : null,
    ssl_expires_at: serves ? new Date(report.expires_at * 1_000) : null,
    ssl_issued_at: serves ? (isKnown ? domain.ssl_issued_at : now) : null,
    ssl_error: isNewest ? errorOf(report) : domain.ssl_error,
  };
}

function errorOf({ status, error }: CertificateStatus): string | null {
  return status === 'active' || error === '' ? null : error;
}

function differs(stored: CertificateColumns, told: CertificateColumns): boolean {
  return (
    stored.ssl_status !== told.ssl_status ||
    stored.ssl_issuer !== told.ssl_issuer ||
    stored.ssl_expires_at?.getTime() !== told.ssl_expires_at?.getTime() ||
    stored.ssl_error !== told.ssl_error
  );
}
