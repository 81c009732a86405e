import {
  findPackage,
  findWakesOfPackage,
  inTransaction,
  raiseGenerationsOfPackage,
  storePackageSmtp,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../require-admin.ts';
import { type PackageView, packageView } from './package-view.ts';

export interface UpdatePackageInput {
  package_id: number;
  /** Whether its accounts may connect to port 25 of other servers. */
  smtp_port_25: boolean;
}

/**
 * Opens or closes port 25 for all present and future accounts of a package. Present accounts get their next generation in
 * the same transaction. The limits of a package cannot change, because accounts have copies of them. The same value again
 * changes nothing. Throws DomainError `forbidden` to resellers, and `not_found`.
 */
export async function updatePackage(ctx: OperatorContext, input: UpdatePackageInput): Promise<PackageView> {
  requireAdmin(ctx);
  const { package_id, smtp_port_25 } = input;
  const { view, wakes } = await inTransaction(ctx.db, async (trx) => {
    const row = await findPackage(trx, package_id, { role: 'admin' }, { lock: 'update' });
    if (row === undefined) throw new DomainError('not_found', `There is no package ${package_id}.`);
    const before = packageView(row);
    if (before.smtp_port_25 === smtp_port_25) return { view: before, wakes: [] };
    await storePackageSmtp(trx, package_id, { smtp_port_25, updated_at: ctx.now() });
    const accounts = await raiseGenerationsOfPackage(trx, package_id);
    await audit(trx, ctx, {
      action: 'package.update',
      target: `package:${package_id}`,
      account_id: null,
      details: { name: row.name, ...changedFields({ ...before }, { smtp_port_25 }), accounts },
    });
    return { view: { ...before, smtp_port_25 }, wakes: await findWakesOfPackage(trx, package_id) };
  });
  for (const { node_id, account_id, generation } of wakes) ctx.wakeNode(node_id, account_id, generation);
  return view;
}
