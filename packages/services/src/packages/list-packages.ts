import type { PackageView } from '@innkeeper/contract';
import { findPackagesOfReseller, findSellablePackages } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { packageViewerOf, resellerIdOf } from '../scope.ts';
import { packageView } from './package-view.ts';

/**
 * Active packages, ordered by id. An admin sees all of them, a reseller its own and those assigned to it. The internal
 * package is never listed.
 */
export async function listPackages(ctx: OperatorContext): Promise<PackageView[]> {
  return (await findSellablePackages(ctx.db, packageViewerOf(ctx.actor))).map(packageView);
}

/** The packages that the acting reseller may sell, and its own retired ones, ordered by id. For its panel. */
export async function listPackagesOfReseller(ctx: OperatorContext): Promise<PackageView[]> {
  return (await findPackagesOfReseller(ctx.db, resellerIdOf(ctx.actor))).map(packageView);
}
