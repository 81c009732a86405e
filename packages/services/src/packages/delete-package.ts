import {
  countAccountsOfPackage,
  type Database,
  deletePackageRow,
  inTransaction,
  type PackageRow,
  storePackage,
} from '@innkeeper/db';
import { DomainError, invalidField, recordSentences } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { findUsablePackage } from '../accounts/package-choice.ts';
import { audit } from '../audit.ts';
import { beginBulkChange, requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import type { OperatorContext } from '../context.ts';
import { lockOwnPackage } from './package-owner.ts';
import { packageView } from './package-view.ts';

/**
 * Deletes a package that no account has. Throws `not_found`, also for another's package, and `precondition_failed` with
 * the number of its accounts.
 */
export async function deletePackage(
  ctx: OperatorContext,
  { package_id }: { package_id: number },
): Promise<{ name: string }> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await lockOwnPackage(trx, ctx, package_id);
    const accounts = await countAccountsOfPackage(trx, row.id);
    if (accounts > 0)
      throw new DomainError(
        'precondition_failed',
        `${accounts} ${accounts === 1 ? 'account has' : 'accounts have'} this package. Move them to another package first.`,
      );
    await removePackage(trx, ctx, row);
    return { name: row.name };
  });
}

/** The same in a transaction that has locked the package, and found that no account has it. */
export async function removePackage(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  row: PackageRow,
): Promise<void> {
  await deletePackageRow(trx, row.id);
  const { id: _, ...before } = packageView(row);
  await audit(trx, ctx, {
    action: 'package.delete',
    target: `package:${row.id}`,
    account_id: null,
    details: { name: row.name, before },
  });
}

/**
 * Retires a package, moves its accounts to another one in the background, and then deletes it. Each account gets the
 * limits of the other package, as by a change of package. An account that does not fit is refused, keeps the package
 * and prevents that it is deleted. Throws like `deletePackage`, and `invalid` on `to_package_id`.
 */
export async function replacePackage(
  ctx: OperatorContext,
  { package_id, to_package_id }: { package_id: number; to_package_id: number },
): Promise<{ bulk_change_id: number }> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await lockOwnPackage(trx, ctx, package_id);
    const subject = `package:${row.id}`;
    await requireNoBulkChange(trx, subject);
    const target = to_package_id === row.id ? undefined : await findUsablePackage(trx, ctx, to_package_id);
    if (target === undefined)
      throw invalidField('to_package_id', recordSentences.selectionInvalid('to_package_id'));
    await storePackage(trx, row.id, { is_active: false, updated_at: ctx.now() });
    const bulk = await beginBulkChange(trx, ctx, {
      action: { action: 'change-package', package_id: target.id, delete_package: row.id },
      subject,
      accounts: { package_id: row.id },
    });
    await audit(trx, ctx, {
      action: 'package.replace',
      target: subject,
      account_id: null,
      details: { name: row.name, by: target.name, accounts: bulk.total },
    });
    return { bulk_change_id: bulk.id };
  });
}
