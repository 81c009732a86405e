import { type Database, findCustomPackage, findPackage, type PackageRow } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { packageViewerOf } from '../scope.ts';

/** Locks the package with this id if the actor can use it for an account: visible, active and not internal. */
export async function findUsablePackage(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  packageId: number,
): Promise<PackageRow | undefined> {
  const found = await findPackage(trx, packageId, packageViewerOf(ctx.actor), { lock: 'share' });
  return found?.visible === 1 && found.is_active === 1 && found.is_internal === 0 ? found : undefined;
}

/** Locks the package for an account with custom limits: the internal package, otherwise the smallest usable one. */
export async function findPackageForOwnLimits(
  trx: Transaction<Database>,
  ctx: OperatorContext,
): Promise<PackageRow | undefined> {
  return await findCustomPackage(trx, packageViewerOf(ctx.actor), { lock: 'share' });
}
