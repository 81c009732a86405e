import { randomUUID } from 'node:crypto';
import type { AuditSource } from '../audit.ts';

/** Who acts, for the audit log, when what a node says changes the database. */
export function nodeAsActor(nodeId: number, now: Date): AuditSource {
  return {
    actor: { userId: null, tokenId: null, address: `node:${nodeId}` },
    requestId: randomUUID(),
    now: () => now,
  };
}
