import type { BulkUsage } from '@innkeeper/contract';
import type { OperatorContext } from '../context.ts';
import { readUsage } from './read-usage.ts';
import { usageView } from './usage-view.ts';

/** Usage of several accounts. Ids that do not exist and ids that the actor cannot see are both reported as missing. */
export async function getBulkUsage(
  ctx: OperatorContext,
  { account_ids }: { account_ids: readonly number[] },
): Promise<BulkUsage> {
  const ids = [...new Set(account_ids)];
  const usage = await readUsage(ctx, ids);
  return {
    data: Object.fromEntries([...usage].map(([id, row]) => [String(id), usageView(row)])),
    meta: {
      requested: ids.length,
      returned: usage.size,
      missing_ids: ids.filter((id) => !usage.has(id)),
    },
  };
}
