import { type PhpLimitsInput, parseFields, phpLimits } from '@innkeeper/contract';
import { getPhpLimits as findLimits, inTransaction, storePhpLimits } from '@innkeeper/db';
import { type PhpLimits, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';

/** What owners of sites can set for PHP. For admins. */
export async function getPhpLimits(ctx: OperatorContext): Promise<PhpLimits> {
  requireMay(ctx.actor.role, 'php.limits');
  return await findLimits(ctx.db);
}

/**
 * Sets what owners of sites can set for PHP, on all servers. Sites keep what they have; the limits apply to the next
 * change. Throws `invalid` with the field, and `forbidden` unless an admin asks.
 */
export async function setPhpLimits(ctx: OperatorContext, input: PhpLimitsInput): Promise<void> {
  requireMay(ctx.actor.role, 'php.limits');
  const { display_errors = false, ...numbers } = parseFields(phpLimits, input);
  const wanted = { ...numbers, display_errors };
  await inTransaction(ctx.db, async (trx) => {
    const before = await findLimits(trx);
    await storePhpLimits(trx, wanted, ctx.now());
    await audit(trx, ctx, {
      action: 'php.limits',
      target: 'installation',
      account_id: null,
      details: changedFields({ ...before }, { ...wanted }),
    });
  });
}
