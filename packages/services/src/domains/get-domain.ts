import type { DomainView } from '@innkeeper/contract';
import { getDomainDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { domainView } from './domain-view.ts';

/** One domain. Throws `not_found`. */
export async function getDomain(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<DomainView> {
  return domainView(await getDomainDetails(ctx.db, scopeOf(ctx.actor), domain_id));
}
