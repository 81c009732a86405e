import { findPendingSpecRecords } from '@innkeeper/db';
import type { AccountSpec, NodeSettings } from '@innkeeper/protocol';
import { accountSpecs } from '../accounts/account-spec.ts';
import type { ServiceContext } from '../context.ts';
import { nodeSettingsOf } from '../mail-relay/relay-of-node.ts';
import { assertNewestSession, type NodeSession } from './node-session.ts';

const maxAccounts = 500;

/**
 * The specs of the node's accounts whose newest generation it has not reported, ordered by id, starting after
 * `after_account_id` (exclusive); at most `limit`, and never more than 500. All of them are read from one snapshot, so
 * that each spec matches its generation. `settings`: of the node itself, if it has not the newest. Throws like `requireNewestSession`.
 */
export async function pullAccounts(
  { db, sealer }: Pick<ServiceContext, 'db' | 'sealer'>,
  input: NodeSession & { after_account_id: number; limit: number; settings_generation: number },
): Promise<{ accounts: AccountSpec[]; has_more: boolean; settings: NodeSettings | null }> {
  const { node_id, after_account_id } = input;
  const limit = Math.min(maxAccounts, Math.max(1, Math.trunc(input.limit)));
  const records = await findPendingSpecRecords(db, { node_id, after_account_id, limit: limit + 1 });
  assertNewestSession(input, records.nodes[0]?.session_id);
  const settings_generation = records.nodes[0]?.settings_generation ?? 0;
  const accounts = records.accounts.slice(0, limit);
  return {
    accounts: accountSpecs(sealer, { ...records, accounts }),
    has_more: records.accounts.length > limit,
    // Another generation may also be an older one, after a restore of an older database.
    settings:
      settings_generation === input.settings_generation
        ? null
        : await nodeSettingsOf({ db, sealer }, { id: node_id, settings_generation }),
  };
}
