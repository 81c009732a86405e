import type { CertificateColumns, ObservedDomain } from '@innkeeper/db';
import type { CertificateStatus, DomainStatus } from '@innkeeper/protocol';

/**
 * What a report says of the certificates of an account's domains, against what is stored; only what differs.
 * Issuer and expiry are of the certificate that serves, whichever revision it is. The status is of the wanted
 * revision: what is said of an older one leaves it pending. A revision that nobody asked for is passed over.
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
