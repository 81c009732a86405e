import { type Database, insertAuditRow } from '@innkeeper/db';
import { type Action, type Doer, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { Actor, ServiceContext } from './context.ts';

/** Actor, address and request of an action. The address of a node is `node:<id>`. */
export interface AuditSource extends Pick<ServiceContext, 'requestId' | 'now'> {
  actor: Pick<Actor, 'userId' | 'tokenId' | 'address'> & {
    /** Default: `self`, a user who acts on the own sign-in. */
    role?: Doer;
    /** The operator who acts as the user. */
    operatorUserId?: number | undefined;
  };
}

export interface AuditEntry {
  action: Action;
  /** Target of the action: `account:12`. */
  target: string;
  account_id: number | null;
  /**
   * `before` and `after`: the public fields that changed (`changedFields`). A new record has only `after`, a removed
   * one only `before`. Other details for the reader are allowed. Never a secret.
   */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * Writes one row of the audit log, in the transaction of the write that it describes. Throws `forbidden` if the actor's
 * role has no right to the action. Every write is audited, so none escapes the table of rights; a verb that works before
 * its audit row calls `requireMay` first.
 */
export async function audit(
  trx: Transaction<Database>,
  source: AuditSource,
  { action, target, account_id, details = {} }: AuditEntry,
): Promise<void> {
  const { userId, role = 'self', operatorUserId, tokenId, address } = source.actor;
  requireMay(role, action);
  await insertAuditRow(trx, {
    at: source.now(),
    request_id: source.requestId,
    user_id: operatorUserId ?? userId,
    as_user_id: operatorUserId === undefined ? null : userId,
    token_id: tokenId,
    address,
    action,
    account_id,
    target,
    details: JSON.stringify(details),
  });
}
