import type { DomainStatusChange, ObservedDomain } from '@innkeeper/db';
import type { DomainStatus } from '@innkeeper/protocol';

export interface DomainOutcomes {
  changed: DomainStatusChange[];
  /** Tombstones that the node reports gone. */
  gone: ObservedDomain[];
}

/**
 * Compares the reported domains of an account with the stored ones. Ids that the account does not have are ignored: the
 * node's spec can still contain a domain whose row is gone.
 */
export function domainOutcomes(
  domains: readonly ObservedDomain[],
  reported: readonly DomainStatus[],
): DomainOutcomes {
  const reports = new Map(reported.map((report) => [report.domain_id, report]));
  const outcomes: DomainOutcomes = { changed: [], gone: [] };
  for (const domain of domains) {
    const report = reports.get(domain.id);
    if (report === undefined) continue;
    if (report.status === 'absent' && domain.state === 'removing') {
      outcomes.gone.push(domain);
      continue;
    }
    const change: DomainStatusChange =
      report.status === 'absent'
        ? { id: domain.id, status: 'failed', status_reason: 'The hosting server says it has no such domain.' }
        : {
            id: domain.id,
            status: report.status,
            status_reason: report.reason === '' ? null : report.reason,
          };
    if (change.status !== domain.status || change.status_reason !== domain.status_reason)
      outcomes.changed.push(change);
  }
  return outcomes;
}
