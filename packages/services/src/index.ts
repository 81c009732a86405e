export { type AuditEntry, type AuditSource, audit } from './audit.ts';
export type { Actor, ServiceContext, WakeNode } from './context.ts';
export * from './nodes/index.ts';
export * from './packages/index.ts';
export * from './resellers/index.ts';
export * from './tokens/index.ts';
export * from './users/index.ts';
