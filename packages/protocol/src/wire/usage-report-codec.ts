import type { UsageReport } from '../usage-report.ts';
import { integerFromWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** Encodes a part of a usage report for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeUsageReport(sessionId: string, report: UsageReport): wire.ReportUsageRequest {
  const { server } = report;
  return {
    session_id: sessionId,
    interval_start: uint64ToWire(report.interval_start, 'interval_start'),
    part: report.part,
    server: server && {
      ...server,
      cpu_busy_ms: uint64ToWire(server.cpu_busy_ms, 'cpu_busy_ms'),
      cpu_total_ms: uint64ToWire(server.cpu_total_ms, 'cpu_total_ms'),
      sent_bytes: uint64ToWire(server.sent_bytes, 'sent_bytes'),
    },
    accounts: report.accounts.map(({ disk_mb, ...account }) => ({
      ...account,
      account_id: uint64ToWire(account.account_id, 'account_id'),
      cpu_ms: uint64ToWire(account.cpu_ms, 'cpu_ms'),
      ...(disk_mb === null ? {} : { disk_mb }),
      sent_bytes: uint64ToWire(account.sent_bytes, 'sent_bytes'),
    })),
    sites: report.sites.map((site) => ({
      ...site,
      domain_id: uint64ToWire(site.domain_id, 'domain_id'),
      sent_bytes: uint64ToWire(site.sent_bytes, 'sent_bytes'),
    })),
    mail: report.mail.map((mail) => ({ ...mail, account_id: uint64ToWire(mail.account_id, 'account_id') })),
  };
}

/** Decodes a wire message into the shape of a UsageReport. Untrusted: parse it with usageReportSchema. */
export function decodeUsageReport({ server, ...message }: wire.ReportUsageRequest): unknown {
  return {
    interval_start: integerFromWire(message.interval_start),
    part: message.part,
    server: server && {
      ...server,
      cpu_busy_ms: integerFromWire(server.cpu_busy_ms),
      cpu_total_ms: integerFromWire(server.cpu_total_ms),
      sent_bytes: integerFromWire(server.sent_bytes),
    },
    accounts: message.accounts.map(({ account_id, disk_mb, ...account }) => ({
      ...account,
      account_id: integerFromWire(account_id),
      cpu_ms: integerFromWire(account.cpu_ms),
      disk_mb: disk_mb ?? null,
      sent_bytes: integerFromWire(account.sent_bytes),
    })),
    sites: message.sites.map((site) => ({
      ...site,
      domain_id: integerFromWire(site.domain_id),
      sent_bytes: integerFromWire(site.sent_bytes),
    })),
    mail: message.mail.map((mail) => ({ ...mail, account_id: integerFromWire(mail.account_id) })),
  };
}
