import type { AccountReport } from '../account-report.ts';
import { integerFromWire, uint32ToWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** Encodes a report for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeAccountReport(sessionId: string, report: AccountReport): wire.ReportAccountRequest {
  return {
    session_id: sessionId,
    account_id: uint64ToWire(report.account_id, 'account_id'),
    observed_generation: uint64ToWire(report.observed_generation, 'observed_generation'),
    outcome: report.outcome,
    conditions: report.conditions.map(({ type, reason, message }) => ({ type, reason, message })),
    domains: report.domains.map(({ domain_id, certificate, ...domain }) => ({
      ...domain,
      domain_id: uint64ToWire(domain_id, 'domain_id'),
      certificate:
        certificate === null
          ? null
          : {
              ...certificate,
              revision: uint32ToWire(certificate.revision, 'revision'),
              expires_at: uint64ToWire(certificate.expires_at, 'expires_at'),
              next_attempt_at: uint64ToWire(certificate.next_attempt_at ?? 0, 'next_attempt_at'),
            },
    })),
    databases: report.databases.map(({ database_id, ...database }) => ({
      ...database,
      database_id: uint64ToWire(database_id, 'database_id'),
    })),
    apps: report.apps.map(({ app_id, release_id, commit, ...app }) => ({
      ...app,
      app_id: uint64ToWire(app_id, 'app_id'),
      release_id: uint64ToWire(release_id ?? 0, 'release_id'),
      commit:
        commit === undefined
          ? null
          : { ...commit, release_id: uint64ToWire(commit.release_id, 'commit.release_id') },
    })),
    next_pass_at: uint64ToWire(report.next_pass_at ?? 0, 'next_pass_at'),
    driver_ms: { ...report.driver_ms },
  };
}

/** Decodes a wire message into the shape of an AccountReport. Untrusted: parse it with accountReportSchema. */
export function decodeAccountReport(message: wire.ReportAccountRequest): unknown {
  return {
    account_id: integerFromWire(message.account_id),
    observed_generation: integerFromWire(message.observed_generation),
    outcome: message.outcome,
    conditions: message.conditions.map(({ type, reason, message }) => ({ type, reason, message })),
    domains: message.domains.map(({ domain_id, certificate, ...domain }) => ({
      ...domain,
      domain_id: integerFromWire(domain_id),
      certificate: certificate === null ? null : certificateFromWire(certificate),
    })),
    databases: message.databases.map(({ database_id, ...database }) => ({
      ...database,
      database_id: integerFromWire(database_id),
    })),
    apps: message.apps.map(({ app_id, release_id, commit, ...app }) => ({
      ...app,
      app_id: integerFromWire(app_id),
      release_id: release_id === '0' ? null : integerFromWire(release_id),
      ...(commit === null ? {} : { commit: { ...commit, release_id: integerFromWire(commit.release_id) } }),
    })),
    ...timeFromWire('next_pass_at', message.next_pass_at),
    driver_ms: { ...message.driver_ms },
  };
}

function certificateFromWire({ expires_at, next_attempt_at, ...status }: wire.CertificateStatus): unknown {
  return {
    ...status,
    expires_at: integerFromWire(expires_at),
    ...timeFromWire('next_attempt_at', next_attempt_at),
  };
}

/** 0: there is none. */
function timeFromWire(name: string, seconds: string): Record<string, unknown> {
  return seconds === '0' ? {} : { [name]: integerFromWire(seconds) };
}
