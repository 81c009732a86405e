import type { Panel } from '../../env.ts';
import { operator } from '../../http/session.ts';
import { auditPage } from './audit-page.tsx';
import { EXPORT_PATH, exportAuditAsCsv } from './export-audit.ts';

/** The audit log: an admin sees all entries, a reseller those in its scope. */
export function registerAudit(panel: Panel): void {
  panel.get('/audit', operator, auditPage);
  panel.get(EXPORT_PATH, operator, exportAuditAsCsv);
}
