import type { AccountView, Written } from '@innkeeper/services';
import type { AnswerOf, Asked } from '../../http/route.ts';
import { settle } from './settle.ts';

/**
 * Returns the account after a change, once its node has applied the change. Otherwise the answer has `"synced": false`,
 * whether the node is late or cannot apply it: the change is committed, and internal details of a node are for
 * operators only.
 */
export async function answerChanged(
  { deps, context }: Pick<Asked<'suspendAccount'>, 'deps' | 'context'>,
  written: Written<AccountView>,
): Promise<AnswerOf<'suspendAccount'>> {
  if (written.view.synced) return { data: written.view };
  await settle(deps, written);
  return {
    data: await deps.services.getAccount(context, { account_id: written.accountId, include: new Set() }),
  };
}
