import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

const size = z.int().min(0);

export const usageSnapshot = z.strictObject({
  disk_used_mb: size,
  disk_limit_mb: size,
  bandwidth_used_mb: size,
  bandwidth_limit_mb: size,
  cpu_used_percent: size,
  cpu_limit_percent: size,
  ram_used_mb: size,
  ram_limit_mb: size,
  /** Time of the node’s measurement. Null: not measured yet. */
  measured_at: timestamp.nullable(),
});

export const bulkUsage = z.strictObject({
  /** Usage by account id. */
  data: z.record(z.string(), usageSnapshot),
  meta: z.strictObject({ requested: size, returned: size, missing_ids: z.array(z.int()) }),
});
