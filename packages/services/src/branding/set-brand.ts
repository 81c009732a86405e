import { type BrandInput, brandSettings, parseFields } from '@innkeeper/contract';
import { INSTALLATION_SCOPE, inTransaction, lockBrand, storeBrand } from '@innkeeper/db';
import { invalidField } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { type AskedBrand, brandScopeOf } from './brand-scope.ts';

/**
 * Sets name, color, support link and host name of a brand. What is omitted is unset, except the host name that only an
 * admin sets: on a host name of its choice a reseller could show its brand to customers of others. `ownHost`: the host
 * name of the installation, which no reseller's brand may have. Throws `invalid` with the field, and `not_found`.
 */
export async function setBrand(
  ctx: OperatorContext,
  { reseller, ownHost, ...input }: AskedBrand & BrandInput & { ownHost: string },
): Promise<void> {
  const { name, color = null, support_url = null, host } = parseFields(brandSettings, input);
  const { scope_id, target } = await brandScopeOf(ctx, { reseller });
  const isWithHost = ctx.actor.role === 'admin' && scope_id !== INSTALLATION_SCOPE;
  if (isWithHost && host === ownHost)
    throw invalidField('host', 'This is the host name of the installation.');
  await inTransaction(ctx.db, async (trx) => {
    const before = await lockBrand(trx, scope_id);
    const kept = before?.host ?? null;
    const brand = { name, color, support_url, host: isWithHost ? (host ?? null) : kept };
    await storeBrand(trx, { scope_id, ...brand, updated_at: ctx.now() });
    const { name: was, color: hue, support_url: link, host: at } = before ?? {};
    await audit(trx, ctx, {
      action: 'brand.set',
      target,
      account_id: null,
      details: changedFields({ name: was, color: hue, support_url: link, host: at }, brand),
    });
  });
}
