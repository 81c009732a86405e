import { findSellablePackages } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { type PackageView, packageView } from './package-view.ts';
import { packageViewerOf } from './package-viewer.ts';

/**
 * Active packages, by ascending id: an admin sees all of them, a reseller its own and those assigned to it.
 * The internal package is in no list.
 */
export async function listPackages(ctx: OperatorContext): Promise<PackageView[]> {
  return (await findSellablePackages(ctx.db, packageViewerOf(ctx.actor))).map(packageView);
}
