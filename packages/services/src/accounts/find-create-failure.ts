import { findAuditDetails } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';

export interface CreateFailure {
  /** Messages from the node. */
  reason: string;
  /** The field of the request that the node refused. Null if the node itself is at fault. */
  field: 'username' | null;
}

/**
 * Returns why the node refused to create an account that was undone. Reads the audit log, which outlives the account.
 * Undefined if no creation of this account failed.
 */
export async function findCreateFailure(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<CreateFailure | undefined> {
  const details = await findAuditDetails(ctx.db, account_id, CREATE_FAILED);
  if (details === undefined) return undefined;
  const { reason, field = null } = JSON.parse(details) as Partial<CreateFailure> & { reason: string };
  return { reason, field };
}

export const CREATE_FAILED = 'account.create_failed';
