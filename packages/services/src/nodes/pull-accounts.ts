import { findPendingAccounts, inTransaction } from '@innkeeper/db';
import type { AccountSpec } from '@innkeeper/protocol';
import { accountSpecsFor } from '../accounts/account-spec.ts';
import type { ServiceContext } from '../context.ts';
import { type NodeSession, requireNewestSession } from './node-session.ts';

const maxAccounts = 500;

/**
 * The specs of the node's accounts that it has not reported on, by ascending id after `after_account_id`
 * (exclusive); at most `limit`, and never more than 500. All of them are read from one snapshot, so that a
 * spec is what its generation says. Throws as `requireNewestSession` does.
 */
export async function pullAccounts(
  { db, sealer }: Pick<ServiceContext, 'db' | 'sealer'>,
  input: NodeSession & { after_account_id: number; limit: number },
): Promise<{ accounts: AccountSpec[]; has_more: boolean }> {
  const limit = Math.min(maxAccounts, Math.max(1, Math.trunc(input.limit)));
  return inTransaction(
    db,
    async (trx) => {
      await requireNewestSession(trx, input);
      const rows = await findPendingAccounts(trx, { ...input, limit: limit + 1 });
      return {
        accounts: await accountSpecsFor(trx, sealer, rows.slice(0, limit)),
        has_more: rows.length > limit,
      };
    },
    { reads: 'snapshot' },
  );
}
