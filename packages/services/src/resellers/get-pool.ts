import { findPool, sumAllocated } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type PoolView, poolView } from './pool-view.ts';
import { getReseller } from './reseller.ts';

/** A reseller’s pool and its allocation. Throws DomainError `not_found`, also for other resellers. */
export async function getPool(ctx: OperatorContext, input: { reseller: string }): Promise<PoolView> {
  const reseller = await getReseller(ctx.db, input.reseller);
  if (ctx.actor.role === 'reseller' && ctx.actor.userId !== reseller.id)
    throw new DomainError('not_found', `There is no reseller "${input.reseller.slice(0, 50)}".`);
  const [pool, allocated] = await Promise.all([
    findPool(ctx.db, reseller.id),
    sumAllocated(ctx.db, reseller.id),
  ]);
  return poolView(reseller, pool, allocated);
}
