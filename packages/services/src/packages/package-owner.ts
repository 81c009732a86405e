import { type Database, findPackage, type PackageRow } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { resellerIdOf } from '../scope.ts';

/**
 * Locks a package that the actor may change: an admin all of them, a reseller its own. Throws `not_found`, also for
 * another's package.
 */
export async function lockOwnPackage(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  packageId: number,
): Promise<PackageRow> {
  return requireOwn(ctx, packageId, await findPackage(trx, packageId, { role: 'admin' }, { lock: 'update' }));
}

/** The same without a lock. */
export async function getOwnPackage(
  db: Kysely<Database>,
  ctx: OperatorContext,
  packageId: number,
): Promise<PackageRow> {
  return requireOwn(ctx, packageId, await findPackage(db, packageId, { role: 'admin' }));
}

function requireOwn({ actor }: OperatorContext, id: number, row: PackageRow | undefined): PackageRow {
  if (row === undefined || (actor.role === 'reseller' && row.owner_user_id !== resellerIdOf(actor)))
    throw new DomainError('not_found', `There is no package ${id}.`);
  return row;
}
