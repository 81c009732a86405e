import type { AccountView } from '@innkeeper/contract';
import { getAccountUsage } from '@innkeeper/db';
import {
  type AccountLimits,
  invalidFields,
  limitsBelowUsage,
  limitsOf,
  type SettableLimit,
} from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { resellerIdOf } from '../scope.ts';
import { changeAccount } from './change-account.ts';
import { findPoolRefusals } from './pool-check.ts';

/** An omitted limit does not change. Null is unlimited. The number of cron jobs follows the package. */
export type AccountResources = {
  [Limit in SettableLimit['name']]?: AccountLimits[Limit] | undefined;
} & { terminal_access: boolean };

/**
 * Gives an account its own limits; its package stays. Throws `not_found`; `precondition_failed` while it is being
 * terminated; `invalid` for a count limit below the account's present count and for more than the reseller's pool has
 * left.
 */
export async function setAccountResources(
  ctx: OperatorContext,
  { account_id, terminal_access, ...given }: AccountResources & { account_id: number },
): Promise<Written<AccountView>> {
  const asked = { action: 'account.set-resources', id: account_id, isPooled: true } as const;
  return await changeAccount(ctx, asked, async (trx, account) => {
    const current = limitsOf(account);
    const limits = { ...current, ...present(given), max_cron_jobs: current.max_cron_jobs };
    const refusals = {
      ...limitsBelowUsage(limits, await getAccountUsage(trx, account.id)),
      ...(ctx.actor.role === 'reseller'
        ? await findPoolRefusals(trx, resellerIdOf(ctx.actor), limits, current)
        : {}),
    };
    if (Object.keys(refusals).length > 0) throw invalidFields(refusals);
    return { ...limits, terminal_access };
  });
}

function present<T extends object>(given: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
