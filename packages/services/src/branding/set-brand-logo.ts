import { createHash } from 'node:crypto';
import { inTransaction, lockBrand, storeBrandLogo } from '@innkeeper/db';
import { DomainError, invalidField, readLogo } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { type AskedBrand, brandScopeOf } from './brand-scope.ts';

const HASH_CHARACTERS = 32;

/** Stores a logo. Throws `invalid` on the field `logo`, `conflict` before the brand has a name, and `not_found`. */
export async function setBrandLogo(
  ctx: OperatorContext,
  { bytes, ...asked }: AskedBrand & { bytes: Uint8Array },
): Promise<void> {
  const image = readLogo(bytes);
  if (typeof image === 'string') throw invalidField('logo', image);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS);
  await changeLogo(ctx, asked, { hash, type: image.type, bytes });
}

/** The brand has the mark of the product again. Throws `conflict` without a brand, and `not_found`. */
export async function removeBrandLogo(ctx: OperatorContext, asked: AskedBrand): Promise<void> {
  await changeLogo(ctx, asked, null);
}

async function changeLogo(
  ctx: OperatorContext,
  asked: AskedBrand,
  logo: { hash: string; type: string; bytes: Uint8Array } | null,
): Promise<void> {
  const { scope_id, target } = await brandScopeOf(ctx, asked);
  await inTransaction(ctx.db, async (trx) => {
    const before = await lockBrand(trx, scope_id);
    if (before === undefined) throw new DomainError('conflict', 'Save the name of the brand first.');
    await storeBrandLogo(trx, scope_id, logo, ctx.now());
    await audit(trx, ctx, {
      action: 'brand.set-logo',
      target,
      account_id: null,
      details: { before: { logo: before.logo_hash }, after: { logo: logo?.hash ?? null } },
    });
  });
}
