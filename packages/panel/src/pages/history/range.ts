import { USAGE_RANGES, type UsageRange } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';

/** The range of the query, or 24 hours. */
export function rangeOf(c: PanelContext): UsageRange {
  const range = c.req.query('range') ?? '';
  return Object.hasOwn(USAGE_RANGES, range) ? (range as UsageRange) : '24h';
}
