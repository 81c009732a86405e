import { findAllPackages, findAssignments } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';
import { type OperatorPackageView, operatorPackageView } from './package-view.ts';

/** All packages with owner, resellers and accounts, including inactive and internal ones; for operators. */
export async function listAllPackages(ctx: OperatorContext): Promise<OperatorPackageView[]> {
  requireStaff(ctx);
  const [packages, assignments] = await Promise.all([findAllPackages(ctx.db), findAssignments(ctx.db)]);
  const resellers = Map.groupBy(assignments, (assignment) => assignment.package_id);
  return packages.map((row) =>
    operatorPackageView(
      row,
      (resellers.get(row.id) ?? []).map((assignment) => assignment.username),
    ),
  );
}
