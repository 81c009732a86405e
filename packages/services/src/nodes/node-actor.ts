import { randomUUID } from 'node:crypto';
import type { AuditSource } from '../audit.ts';

/** Actor in the audit log for changes that a node’s report causes. */
export function nodeAsActor(nodeId: number, now: Date): AuditSource {
  return {
    actor: { userId: null, role: 'system', tokenId: null, address: `node:${nodeId}` },
    requestId: randomUUID(),
    now: () => now,
  };
}
