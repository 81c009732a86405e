import {
  type BulkSelection,
  type Database,
  insertBulkChange,
  isBulkChanging,
  storeBulkEnd,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';
import { type BulkAction, hasSequel } from './bulk-change.ts';

/** What a bulk change is about. While one about the same runs, there is no second one. */
export interface BulkRequest {
  action: BulkAction;
  /** `package:5`, `reseller:7`; empty for selected accounts. */
  subject: string;
  accounts: BulkSelection;
}

/** Throws `precondition_failed` while a bulk change about the subject runs. The caller has locked the subject. */
export async function requireNoBulkChange(trx: Transaction<Database>, subject: string): Promise<void> {
  if (await isBulkChanging(trx, subject))
    throw new DomainError(
      'precondition_failed',
      'An earlier change is still being applied to its accounts. Wait until it has finished.',
    );
}

/**
 * Stores a change of many accounts, which every instance of the API can apply in the background. It runs in the name of
 * the actor, and only accounts in the actor's scope are in it. The caller writes the audit row of the request; each
 * account gets one of its own.
 */
export async function beginBulkChange(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  { action, subject, accounts }: BulkRequest,
): Promise<{ id: number; total: number }> {
  const { actor } = ctx;
  const change = {
    action: action.action,
    subject,
    input: JSON.stringify(action),
    user_id: actor.userId,
    role: actor.role,
    address: actor.address,
    request_id: ctx.requestId,
    created_at: ctx.now(),
  };
  const begun = await insertBulkChange(trx, change, operatorScopeOf(actor), accounts);
  // Nothing is left to do, unless something follows the last account.
  if (begun.total === 0 && !hasSequel(action))
    await storeBulkEnd(trx, begun.id, { finished_at: ctx.now(), left_out: null });
  return begun;
}
