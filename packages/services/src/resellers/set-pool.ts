import { type InputOf, parseFields, poolChange } from '@innkeeper/contract';
import { findPool, inTransaction, lockReseller, storePool, sumAllocated } from '@innkeeper/db';
import { DomainError, invalidFields, poolFields, poolShortfalls, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { type PoolView, poolSizes, poolView } from './pool-view.ts';
import { getReseller } from './reseller.ts';

export type SetPoolInput = InputOf<typeof poolChange> & { reseller: string };

/**
 * Sets the size of a reseller's pool. Throws DomainError `invalid` for a size below the sum of its accounts' limits,
 * with the field and both numbers. The reseller is locked, so none of its accounts can change meanwhile.
 */
export async function setPool(ctx: OperatorContext, input: SetPoolInput): Promise<PoolView> {
  requireMay(ctx.actor.role, 'reseller.set-pool');
  const change = parseFields(poolChange, input);
  return inTransaction(ctx.db, async (trx) => {
    const reseller = await getReseller(trx, input.reseller);
    if ((await lockReseller(trx, reseller.id)) === undefined)
      throw new DomainError('not_found', `There is no reseller "${reseller.username}".`);
    const before = await findPool(trx, reseller.id);
    const overselling = change.overselling ?? before?.overselling === 1;
    const sizes = poolSizes(before);
    for (const field of poolFields) {
      const given = change[field];
      if (given !== undefined) sizes[field] = given;
    }
    const allocated = await sumAllocated(trx, reseller.id);
    const shortfalls = poolShortfalls({ overselling, ...sizes }, allocated);
    if (shortfalls.length > 0)
      throw invalidFields(Object.fromEntries(shortfalls.map(({ field, sentence }) => [field, [sentence]])));
    await storePool(trx, { reseller_user_id: reseller.id, overselling: overselling ? 1 : 0, ...sizes });
    await audit(trx, ctx, {
      action: 'reseller.set-pool',
      target: `user:${reseller.id}`,
      account_id: null,
      details: {
        username: reseller.username,
        ...changedFields(
          { overselling: before?.overselling === 1, ...poolSizes(before) },
          { overselling, ...sizes },
        ),
      },
    });
    return poolView(reseller, await findPool(trx, reseller.id), allocated);
  });
}
