import type { PackageView } from '@innkeeper/contract';
import { findSellablePackages } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { packageViewerOf } from '../scope.ts';
import { packageView } from './package-view.ts';

/**
 * Active packages, ordered by id. An admin sees all of them, a reseller its own and those assigned to it. The internal
 * package is never listed.
 */
export async function listPackages(ctx: OperatorContext): Promise<PackageView[]> {
  return (await findSellablePackages(ctx.db, packageViewerOf(ctx.actor))).map(packageView);
}
