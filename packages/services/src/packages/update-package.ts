import type { PackageView } from '@innkeeper/contract';
import { findPackage, storePackage } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { changeDesiredOfPackage } from '../desired-state.ts';
import { packageView } from './package-view.ts';

export interface UpdatePackageInput {
  package_id: number;
  /** Whether its accounts may connect to port 25 of other servers. */
  smtp_port_25: boolean;
}

/**
 * Opens or closes port 25 for all present and future accounts of a package. Present accounts get their next generation
 * in the same transaction. Setting the same value again changes nothing. Throws DomainError `forbidden` for resellers, and `not_found`.
 */
export async function updatePackage(ctx: OperatorContext, input: UpdatePackageInput): Promise<PackageView> {
  requireMay(ctx.actor.role, 'package.update');
  const { package_id: id, smtp_port_25 } = input;
  return await changeDesiredOfPackage(ctx, { action: 'package.update', id }, async (trx) => {
    const row = await findPackage(trx, id, { role: 'admin' }, { lock: 'update' });
    if (row === undefined) throw new DomainError('not_found', `There is no package ${id}.`);
    const before = packageView(row);
    if (before.smtp_port_25 === smtp_port_25) return { details: null, view: () => before };
    await storePackage(trx, id, { smtp_port_25, updated_at: ctx.now() });
    return {
      details: { name: row.name, ...changedFields({ ...before }, { smtp_port_25 }) },
      view: () => ({ ...before, smtp_port_25 }),
    };
  });
}
