import type { Panel } from '../../env.ts';
import { operator } from '../../http/session.ts';
import { auditPage } from './audit-page.tsx';

/** The audit log: an admin sees all entries, a reseller those in its scope. */
export function registerAudit(panel: Panel): void {
  panel.get('/audit', operator, auditPage);
}
