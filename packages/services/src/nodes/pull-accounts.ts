import { findPendingAccounts, inTransaction } from '@innkeeper/db';
import type { AccountSpec } from '@innkeeper/protocol';
import { accountSpecsFor } from '../accounts/account-spec.ts';
import type { ServiceContext } from '../context.ts';
import { type NodeSession, requireNewestSession } from './node-session.ts';

const maxAccounts = 500;

/**
 * The specs of the node's accounts whose newest generation it has not reported, ordered by id, starting after
 * `after_account_id` (exclusive); at most `limit`, and never more than 500. All of them are read from one snapshot, so
 * that each spec matches its generation. Throws like `requireNewestSession`.
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
