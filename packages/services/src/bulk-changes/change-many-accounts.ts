import { type AccountChoice, inTransaction } from '@innkeeper/db';
import { type Action, invalidField, recordSentences, requireMay } from '@innkeeper/domain';
import { findUsablePackage } from '../accounts/package-choice.ts';
import { readSuspensionReason } from '../accounts/suspension-reason.ts';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { beginBulkChange } from './begin-bulk-change.ts';

/** A change that an operator makes to the accounts of a list. */
export type ManyChange =
  | { action: 'suspend'; reason: string | null }
  | { action: 'unsuspend' }
  | { action: 'change-package'; package_id: number };

const actions = {
  suspend: 'account.suspend-many',
  unsuspend: 'account.unsuspend-many',
  'change-package': 'account.change-package-many',
} as const satisfies Record<ManyChange['action'], Action>;

/**
 * Begins a change of many accounts in the background. Accounts outside the actor's scope, and accounts that are being
 * removed, are left out. Each account is changed by its usual verb, which can refuse it. Throws `forbidden`, and `invalid`
 * on `package_id`, `reason`, or `accounts` if none is left.
 */
export async function changeManyAccounts(
  ctx: OperatorContext,
  { change, accounts }: { change: ManyChange; accounts: AccountChoice },
): Promise<{ bulk_change_id: number; total: number }> {
  const action = actions[change.action];
  requireMay(ctx.actor.role, action);
  return await inTransaction(ctx.db, async (trx) => {
    const details: Record<string, unknown> = {};
    const wanted = { ...change };
    if (wanted.action === 'suspend') {
      wanted.reason = readSuspensionReason(wanted.reason);
      if (wanted.reason !== null) details.reason = wanted.reason;
    }
    if (wanted.action === 'change-package') {
      const target = await findUsablePackage(trx, ctx, wanted.package_id);
      if (target === undefined)
        throw invalidField('package_id', recordSentences.selectionInvalid('package_id'));
      details.name = target.name;
    }
    const { id, total } = await beginBulkChange(trx, ctx, {
      action: wanted,
      subject: '',
      accounts: { choice: accounts },
    });
    if (total === 0) throw invalidField('accounts', 'Select at least one account.');
    await audit(trx, ctx, {
      action,
      target: `bulk-change:${id}`,
      account_id: null,
      details: { ...details, accounts: total },
    });
    return { bulk_change_id: id, total };
  });
}
