import { DomainError, invalidField } from '@innkeeper/domain';
import type { Insertable, Kysely, Transaction } from 'kysely';
import type { BrandsTable } from '../schema/brands.ts';
import type { Database } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

/** The scope of the installation's own brand. */
export const INSTALLATION_SCOPE = 0;

export type BrandRow = Omit<BrandsTable, 'logo' | 'logo_type' | 'updated_at'>;

const columns = ['scope_id', 'name', 'color', 'support_url', 'host', 'logo_hash'] as const;

/** All brands, without the bytes of their logos. */
export async function findBrands(db: Kysely<Database>): Promise<BrandRow[]> {
  return await db.selectFrom('brands').select(columns).execute();
}

export async function findBrand(db: Kysely<Database>, scopeId: number): Promise<BrandRow | undefined> {
  return await db.selectFrom('brands').select(columns).where('scope_id', '=', scopeId).executeTakeFirst();
}

/** Locks the row of a brand. Undefined if there is none. */
export async function lockBrand(trx: Transaction<Database>, scopeId: number): Promise<BrandRow | undefined> {
  return await trx
    .selectFrom('brands')
    .select(columns)
    .where('scope_id', '=', scopeId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Throws DomainError `invalid` for a host name that another brand has. Not `on duplicate key update`: with a taken host
 * name that would change the other brand.
 */
export async function storeBrand(
  trx: Transaction<Database>,
  brand: Omit<Insertable<BrandsTable>, 'logo' | 'logo_hash' | 'logo_type'>,
): Promise<void> {
  const { scope_id, ...changes } = brand;
  try {
    const isThere = (await lockBrand(trx, scope_id)) !== undefined;
    if (!isThere) await trx.insertInto('brands').values(brand).execute();
    else await trx.updateTable('brands').set(changes).where('scope_id', '=', scope_id).execute();
  } catch (error) {
    if (isUniqueViolation(error, 'brands_host'))
      throw invalidField('host', 'Another brand has this host name.');
    if (isUniqueViolation(error, 'PRIMARY'))
      throw new DomainError('conflict', 'Another browser saved this brand at the same time. Try again.');
    throw error;
  }
}

/** `logo` null: the brand has no logo any more. */
export async function storeBrandLogo(
  trx: Transaction<Database>,
  scopeId: number,
  logo: { hash: string; type: string; bytes: Uint8Array } | null,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('brands')
    .set({
      logo_hash: logo?.hash ?? null,
      logo_type: logo?.type ?? null,
      logo: logo === null ? null : Buffer.from(logo.bytes),
      updated_at: now,
    })
    .where('scope_id', '=', scopeId)
    .execute();
}

export async function deleteBrand(trx: Transaction<Database>, scopeId: number): Promise<void> {
  await trx.deleteFrom('brands').where('scope_id', '=', scopeId).execute();
}

/** The logo with this hash, of whichever brand. */
export async function findLogo(
  db: Kysely<Database>,
  hash: string,
): Promise<{ type: string; bytes: Buffer } | undefined> {
  const row = await db
    .selectFrom('brands')
    .select(['logo_type', 'logo'])
    .where('logo_hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.logo === null || row.logo_type === null) return undefined;
  return { type: row.logo_type, bytes: row.logo };
}
