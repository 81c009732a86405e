import { getAccountUsage } from '@innkeeper/db';
import { DomainError, excessOver, invalidField, limitsOf, recordSentences } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { resellerIdOf } from '../scope.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { Written } from '../written.ts';
import type { AccountView } from './account-view.ts';
import { changeAccount } from './change-account.ts';
import { findUsablePackage } from './package-choice.ts';
import { findPoolRefusals } from './pool-check.ts';

/**
 * Puts an account on another package: every limit and the terminal become the package's. Throws `not_found`;
 * `precondition_failed` while it is being terminated; `invalid` on the field for a package that the actor
 * cannot use, and without a field for the same package, one that is too small, and an empty pool.
 */
export async function changeAccountPackage(
  ctx: OperatorContext,
  { account_id, package_id }: { account_id: number; package_id: number },
): Promise<Written<AccountView>> {
  // What the disk holds is compared below; a node is not waited for while locks are held.
  await readUsage(ctx, [account_id]);
  const asked = { action: 'account.change-package', id: account_id, isPooled: true };
  return await changeAccount(ctx, asked, async (trx, account) => {
    if (account.package_id === package_id)
      throw new DomainError('invalid', 'The account is already on this package.');
    const target = await findUsablePackage(trx, ctx, package_id);
    if (target === undefined)
      throw invalidField('package_id', recordSentences.selectionInvalid('package_id'));

    const excess = excessOver(target, await getAccountUsage(trx, account.id));
    if (excess.length > 0)
      throw new DomainError('invalid', `The account exceeds package "${target.name}": ${excess.join(', ')}.`);
    const limits = limitsOf(target);
    if (ctx.actor.role === 'reseller') {
      const refusals = await findPoolRefusals(trx, resellerIdOf(ctx.actor), limits, account);
      const sentences = Object.values(refusals).flat();
      if (sentences.length > 0) throw new DomainError('invalid', sentences.join(' '));
    }
    return { package_id, ...limits, terminal_access: target.terminal_access === 1 };
  });
}
