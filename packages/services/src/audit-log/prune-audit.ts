import {
  countAuditRowsBefore,
  deleteAuditRowsBefore,
  deleteFormerAccountsBefore,
  inTransaction,
} from '@innkeeper/db';
import { invalidField, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';

/** Newer entries cannot be deleted. */
const LEAST_AGE_DAYS = 30;
const DAY_MS = 86_400_000;
const ROWS_IN_ONE_STATEMENT = 1_000;

/**
 * Deletes the rows of the audit log before a time, oldest first, and returns how many; then the names of accounts that were
 * removed before it. The deletion has its own audit
 * row, written before the first row is deleted. Throws `invalid` for a time within the last 30 days.
 */
export async function pruneAudit(ctx: OperatorContext, { before }: { before: Date }): Promise<number> {
  requireMay(ctx.actor.role, 'audit.prune');
  if (ctx.now().getTime() - before.getTime() < LEAST_AGE_DAYS * DAY_MS)
    throw invalidField(
      'before',
      `The before field must be a date at least ${LEAST_AGE_DAYS} days ago: younger rows are kept.`,
    );
  const rows = await countAuditRowsBefore(ctx.db, before);
  if (rows === 0) return 0;
  await inTransaction(ctx.db, (trx) =>
    audit(trx, ctx, {
      action: 'audit.prune',
      target: 'audit_log',
      account_id: null,
      details: { before: { rows }, older_than: before },
    }),
  );
  let deleted = 0;
  for (let batch = ROWS_IN_ONE_STATEMENT; batch === ROWS_IN_ONE_STATEMENT; deleted += batch)
    batch = await deleteAuditRowsBefore(ctx.db, before, ROWS_IN_ONE_STATEMENT);
  for (let batch = ROWS_IN_ONE_STATEMENT; batch === ROWS_IN_ONE_STATEMENT; )
    batch = await deleteFormerAccountsBefore(ctx.db, before, ROWS_IN_ONE_STATEMENT);
  return deleted;
}
