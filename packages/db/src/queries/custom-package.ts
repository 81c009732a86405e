import type { Kysely } from 'kysely';
import type { Database } from '../schema/index.ts';
import { findSellablePackages, type PackageRow, type PackageViewer } from './packages.ts';

/**
 * The package for accounts with limits of their own: the oldest internal one that is active, else the one
 * with the least disk of those that the viewer may sell.
 */
export async function findCustomPackage(
  db: Kysely<Database>,
  viewer: PackageViewer,
): Promise<PackageRow | undefined> {
  const internal = await db
    .selectFrom('packages')
    .selectAll()
    .where('is_internal', '=', 1)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (internal !== undefined) return internal;
  const sellable = await findSellablePackages(db, viewer);
  return sellable.toSorted((a, b) => a.disk_limit_mb - b.disk_limit_mb || a.id - b.id)[0];
}
