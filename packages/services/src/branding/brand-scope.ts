import { INSTALLATION_SCOPE } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { getReseller } from '../resellers/reseller.ts';
import { resellerIdOf } from '../scope.ts';

/** Whose brand an operator asks for. `reseller` undefined: the installation for an admin, itself for a reseller. */
export interface AskedBrand {
  reseller?: string | undefined;
}

/** The scope of a brand. Throws `not_found` for a reseller that the actor does not see. */
export async function brandScopeOf(
  ctx: OperatorContext,
  { reseller }: AskedBrand,
): Promise<{ scope_id: number; target: string }> {
  const own = ctx.actor.role === 'reseller' ? resellerIdOf(ctx.actor) : undefined;
  const scope_id =
    own ?? (reseller === undefined ? INSTALLATION_SCOPE : (await getReseller(ctx.db, reseller)).id);
  return { scope_id, target: scope_id === INSTALLATION_SCOPE ? 'installation' : `user:${scope_id}` };
}
