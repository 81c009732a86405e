import { findAllPackages, findAssignments } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { resellerIdOf } from '../scope.ts';
import { type OperatorPackageView, operatorPackageView } from './package-view.ts';

/**
 * One package with its owner, resellers and accounts, including inactive and internal packages. A reseller sees its own.
 * Throws `not_found`.
 */
export async function getPackageDetails(
  ctx: OperatorContext,
  { package_id }: { package_id: number },
): Promise<OperatorPackageView> {
  const [[row], assignments] = await Promise.all([
    findAllPackages(ctx.db, package_id),
    findAssignments(ctx.db, package_id),
  ]);
  if (row === undefined || (ctx.actor.role === 'reseller' && row.owner_user_id !== resellerIdOf(ctx.actor)))
    throw new DomainError('not_found', `There is no package ${package_id}.`);
  return operatorPackageView(
    row,
    assignments.map(({ username }) => username),
  );
}
