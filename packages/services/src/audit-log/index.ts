export { type AuditItem, type AuditQuery, listAudit } from './list-audit.ts';
export { pruneAudit } from './prune-audit.ts';
