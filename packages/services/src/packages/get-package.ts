import type { PackageView } from '@innkeeper/contract';
import { findPackage } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { packageViewerOf } from '../scope.ts';
import { packageView } from './package-view.ts';

/**
 * Throws DomainError `not_found` for an unknown id, and `forbidden` for a package that is neither the reseller's own
 * nor assigned to it (unlike for accounts, the API reveals that a package exists).
 */
export async function getPackage(ctx: OperatorContext, input: { package_id: number }): Promise<PackageView> {
  const row = await findPackage(ctx.db, input.package_id, packageViewerOf(ctx.actor));
  if (row === undefined) throw new DomainError('not_found', 'Not found.');
  if (row.visible !== 1) throw new DomainError('forbidden', 'This action is unauthorized.');
  return packageView(row);
}
