import type { AccountView } from '@innkeeper/contract';
import { getAccountUsage } from '@innkeeper/db';
import { type AccountLimits, DomainError, excessOver, limitNames, limitsOf } from '@innkeeper/domain';
import type { PackageMove } from '../bulk-changes/bulk-change.ts';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { readUsage } from '../usage/read-usage.ts';
import { changeAccount } from './change-account.ts';
import { findPoolRefusals } from './pool-check.ts';

/**
 * Gives an account the changed values of its package. A value that differs from that of the package before the change
 * was set for this account, so it stays. An account that has another package by now changes nothing. Throws `not_found`;
 * `precondition_failed` while it is being terminated; `invalid` without a field if it exceeds a new limit, and for a
 * reseller's pool with too little left, also when an admin changed the package.
 */
export async function followPackage(
  ctx: OperatorContext,
  {
    account_id,
    package_id,
    limits: moved,
    terminal_access,
  }: PackageMove & { account_id: number; package_id: number },
): Promise<Written<AccountView>> {
  // As for a change of package: measured before the transaction has locks.
  if (moved.disk_limit_mb !== undefined) await readUsage(ctx, [account_id]);
  const asked = { action: 'account.follow-package', id: account_id, isPooled: true } as const;
  return await changeAccount(ctx, asked, async (trx, account) => {
    if (account.package_id !== package_id) return null;
    const current = limitsOf(account);
    const changed = limitNames.filter((name) => {
      const move = moved[name];
      return move !== undefined && current[name] === move.from && move.from !== move.to;
    });
    const login = terminal_access !== undefined && (account.terminal_access === 1) === terminal_access.from;
    if (changed.length === 0 && !login) return null;

    const next = Object.fromEntries(changed.map((name) => [name, moved[name]?.to])) as Partial<AccountLimits>;
    const limits = { ...current, ...next };
    const usage = await getAccountUsage(trx, account.id);
    const lowered = { ...unbounded, ...next };
    const excess = excessOver(lowered, usage);
    if (excess.length > 0)
      throw new DomainError('invalid', `It exceeds the new limits: ${excess.join(', ')}.`);
    if (account.reseller_user_id !== null) {
      const refusals = await findPoolRefusals(trx, account.reseller_user_id, limits, current);
      const sentences = Object.values(refusals).flat();
      if (sentences.length > 0) throw new DomainError('invalid', sentences.join(' '));
    }
    return { ...next, ...(login ? { terminal_access: terminal_access.to } : {}) };
  });
}

/** For limits that do not change: an account may exceed what it has already. */
const unbounded = {
  max_domains: Number.POSITIVE_INFINITY,
  max_databases: Number.POSITIVE_INFINITY,
  max_apps: Number.POSITIVE_INFINITY,
  disk_limit_mb: Number.POSITIVE_INFINITY,
};
