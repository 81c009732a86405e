import type { UsageView } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { readUsage } from './read-usage.ts';
import { usageView } from './usage-view.ts';

/** Usage of one account. Throws `not_found`. */
export async function getUsage(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<UsageView> {
  const row = (await readUsage(ctx, [account_id])).get(account_id);
  if (row === undefined) throw new DomainError('not_found', `There is no account ${account_id}.`);
  return usageView(row);
}
