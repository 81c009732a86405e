import type { AccountView, Written } from '@innkeeper/services';
import type { AnswerOf, Asked } from '../../http/route.ts';
import { settle } from './settle.ts';

/**
 * The account after a change, once its node has made the change true. Otherwise it says `"synced": false`,
 * whether the node is late or cannot: the change is committed, and what a node says of its inside is for
 * operators.
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
