import { findAuditDetails } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';

/**
 * Why the node refused to create an account that was undone, in the node's own sentences: from the audit
 * log, which outlives the account. Undefined where no create of this account failed.
 */
export async function findCreateFailure(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<string | undefined> {
  const details = await findAuditDetails(ctx.db, account_id, CREATE_FAILED);
  if (details === undefined) return undefined;
  const { reason } = JSON.parse(details) as { reason: string };
  return reason;
}

export const CREATE_FAILED = 'account.create_failed';
