import { findPool, inTransaction, lockReseller, storePool, sumAllocated } from '@innkeeper/db';
import { DomainError, type PoolSizes, poolFields, poolShortfalls } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';
import { requireAdmin } from '../require-admin.ts';
import { type PoolView, poolSizes, poolView } from './pool-view.ts';
import { getReseller } from './reseller.ts';

/** Omitted: no change. Null: not pooled. */
export type SetPoolInput = { reseller: string; overselling?: boolean } & {
  [Field in keyof PoolSizes]?: PoolSizes[Field] | undefined;
};

const maxSize = 1_000_000_000_000;

/**
 * Sets the size of a reseller's pool. Throws DomainError `invalid` for a size below the sum of its accounts' limits,
 * with the field and both numbers. The reseller is locked, so none of its accounts can change meanwhile.
 */
export async function setPool(ctx: OperatorContext, input: SetPoolInput): Promise<PoolView> {
  requireAdmin(ctx);
  checkSizes(input);
  return inTransaction(ctx.db, async (trx) => {
    const reseller = await getReseller(trx, input.reseller);
    if (!(await lockReseller(trx, reseller.id)))
      throw new DomainError('not_found', `There is no reseller "${reseller.username}".`);
    const before = await findPool(trx, reseller.id);
    const overselling = input.overselling ?? before?.overselling === 1;
    const sizes = poolSizes(before);
    for (const field of poolFields) {
      const given = input[field];
      if (given !== undefined) sizes[field] = given;
    }
    const allocated = await sumAllocated(trx, reseller.id);
    const check = new FieldCheck();
    for (const { field, sentence } of poolShortfalls({ overselling, ...sizes }, allocated))
      check.refuse(field, sentence);
    check.settle();
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

function checkSizes(input: SetPoolInput): void {
  const check = new FieldCheck();
  for (const field of poolFields) {
    const size = input[field];
    if (size !== undefined && size !== null) check.integer(field, size, { min: 0, max: maxSize });
  }
  check.settle();
}
