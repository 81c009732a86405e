export { type AuditEntry, type AuditSource, audit } from './audit.ts';
export type { Actor, ServiceContext, WakeNode } from './context.ts';
