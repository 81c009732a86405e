export { getBulkUsage } from './get-bulk-usage.ts';
export { getUsage } from './get-usage.ts';
export { createUsageRefresher, type RefreshUsage } from './usage-refresher.ts';
