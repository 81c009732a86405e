import { z } from 'zod';
import { timestamp, type ViewOf } from '../timestamp.ts';

const size = z.int().min(0);

/** Usage of an account and its current limits. Sizes in MiB, CPU in percent of one core. */
export const usageSnapshot = z.strictObject({
  disk_used_mb: size,
  disk_limit_mb: size,
  /** Of this calendar month, UTC. */
  bandwidth_used_mb: size,
  bandwidth_limit_mb: size,
  cpu_used_percent: size,
  cpu_limit_percent: size,
  ram_used_mb: size,
  ram_limit_mb: size,
  /** Time of the node’s measurement. Null: not measured yet, and the usage is zero. */
  measured_at: timestamp.nullable(),
});

export const bulkUsage = z.strictObject({
  /** Usage by account id. */
  data: z.record(z.string(), usageSnapshot),
  meta: z.strictObject({ requested: size, returned: size, missing_ids: z.array(z.int()) }),
});

export type UsageView = ViewOf<typeof usageSnapshot>;
export type BulkUsage = ViewOf<typeof bulkUsage>;
