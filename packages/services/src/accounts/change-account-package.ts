import type { AccountView } from '@innkeeper/contract';
import { getAccountUsage } from '@innkeeper/db';
import {
  DomainError,
  excessOver,
  invalidField,
  limitsOf,
  recordSentences,
  requireMay,
} from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { resellerIdOf } from '../scope.ts';
import { readUsage } from '../usage/read-usage.ts';
import { changeAccount } from './change-account.ts';
import { findUsablePackage } from './package-choice.ts';
import { findPoolRefusals } from './pool-check.ts';

/**
 * Moves an account to another package. Every limit and the terminal access become the package's. Throws `not_found`;
 * `precondition_failed` while the account is being terminated; `invalid` on the field for a package that the actor
 * cannot use; `invalid` without a field for the same package, for a package that is too small and for a pool with too
 * little left. `sameIsFine`: an account that has the package already changes nothing.
 */
export async function changeAccountPackage(
  ctx: OperatorContext,
  {
    account_id,
    package_id,
    sameIsFine = false,
  }: { account_id: number; package_id: number; sameIsFine?: boolean },
): Promise<Written<AccountView>> {
  requireMay(ctx.actor.role, 'account.change-package');
  // Used disk space is compared below. Measure it now, because the transaction must not wait for a node while it has
  // locks.
  await readUsage(ctx, [account_id]);
  const asked = { action: 'account.change-package', id: account_id, isPooled: true } as const;
  return await changeAccount(ctx, asked, async (trx, account) => {
    if (account.package_id === package_id && sameIsFine) return null;
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
