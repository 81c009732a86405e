import { type Database, findCustomPackage, findPackage, type PackageRow } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { packageViewerOf } from '../packages/package-viewer.ts';

/** The package of this id, if the actor may put an account on it: visible, active and not internal. */
export async function findUsablePackage(
  db: Kysely<Database>,
  ctx: OperatorContext,
  packageId: number,
): Promise<PackageRow | undefined> {
  const found = await findPackage(db, packageId, packageViewerOf(ctx.actor));
  return found?.visible === 1 && found.is_active === 1 && found.is_internal === 0 ? found : undefined;
}

/** What an account with limits of its own hangs on: the internal package, else the smallest that can be used. */
export async function findPackageForOwnLimits(
  db: Kysely<Database>,
  ctx: OperatorContext,
): Promise<PackageRow | undefined> {
  return await findCustomPackage(db, packageViewerOf(ctx.actor));
}
