import { type Database, insertAuditRow } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { Actor, ServiceContext } from './context.ts';

/** Actor, address and request of an action. The address of a node is `node:<id>`. */
export interface AuditSource extends Pick<ServiceContext, 'requestId' | 'now'> {
  actor: Pick<Actor, 'userId' | 'tokenId' | 'address'>;
}

export interface AuditEntry {
  /** `account.create`, `domain.delete`, ... */
  action: string;
  /** Target of the action: `account:12`. */
  target: string;
  account_id: number | null;
  /**
   * `before` and `after`: the public fields that changed (`changedFields`). A new record has only `after`, a removed
   * one only `before`. Other details for the reader are allowed. Never a secret.
   */
  details?: Readonly<Record<string, unknown>>;
}

/** Writes one row of the audit log, in the transaction of the write that it describes. */
export async function audit(
  trx: Transaction<Database>,
  source: AuditSource,
  { action, target, account_id, details = {} }: AuditEntry,
): Promise<void> {
  await insertAuditRow(trx, {
    at: source.now(),
    request_id: source.requestId,
    user_id: source.actor.userId,
    token_id: source.actor.tokenId,
    address: source.actor.address,
    action,
    account_id,
    target,
    details: JSON.stringify(details),
  });
}
