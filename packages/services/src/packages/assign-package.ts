import {
  type Database,
  deleteAssignment,
  findPackage,
  insertAssignment,
  inTransaction,
  lockReseller,
} from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { getReseller } from '../resellers/reseller.ts';

/**
 * Allows a reseller to sell an admin's package. Idempotent. Throws DomainError `not_found`, and `precondition_failed`
 * for a reseller's package and for an internal one.
 */
export async function assignPackage(
  ctx: OperatorContext,
  input: { package_id: number; reseller: string },
): Promise<void> {
  requireMay(ctx.actor.role, 'package.assign');
  await inTransaction(ctx.db, async (trx) => {
    const reseller = await getReseller(trx, input.reseller);
    const row = await findPackage(trx, input.package_id, { role: 'admin' });
    if (row === undefined) throw new DomainError('not_found', `There is no package ${input.package_id}.`);
    if (row.owner_user_id !== null || row.is_internal === 1)
      throw new DomainError(
        'precondition_failed',
        `Package "${row.name}" cannot be assigned: it is ${row.is_internal === 1 ? 'internal' : "a reseller's own"}.`,
      );
    await assignTo(trx, ctx, row, reseller);
  });
}

/** The same in a transaction. The package is the admin's, and not internal. */
export async function assignTo(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  { id, name }: { id: number; name: string },
  reseller: { id: number; username: string },
): Promise<void> {
  if ((await lockReseller(trx, reseller.id)) === undefined)
    throw new DomainError('not_found', `There is no reseller "${reseller.username}".`);
  if (!(await insertAssignment(trx, { package_id: id, reseller_user_id: reseller.id }))) return;
  await audit(trx, ctx, {
    action: 'package.assign',
    target: `package:${id}`,
    account_id: null,
    details: { name, after: { reseller: reseller.username } },
  });
}

/** Takes an admin's package from a reseller. Its accounts keep it. Idempotent. Throws DomainError `not_found`. */
export async function unassignPackage(
  ctx: OperatorContext,
  input: { package_id: number; reseller: string },
): Promise<void> {
  requireMay(ctx.actor.role, 'package.unassign');
  await inTransaction(ctx.db, async (trx) => {
    const reseller = await getReseller(trx, input.reseller);
    const row = await findPackage(trx, input.package_id, { role: 'admin' });
    if (row === undefined) throw new DomainError('not_found', `There is no package ${input.package_id}.`);
    if (await deleteAssignment(trx, { package_id: row.id, reseller_user_id: reseller.id }))
      await audit(trx, ctx, {
        action: 'package.unassign',
        target: `package:${row.id}`,
        account_id: null,
        details: { name: row.name, before: { reseller: reseller.username } },
      });
  });
}
