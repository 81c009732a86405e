import { z } from 'zod';
import { packageLimitValues } from '../limit-values.ts';
import type { ViewOf } from '../timestamp.ts';

/** Sizes in MiB, rates in MiB/s, CPU in percent of one core. Null: unlimited. */
export const hostingPackage = z.strictObject({
  id: z.int().min(1),
  name: z.string(),
  slug: z.string(),
  ...packageLimitValues,
  terminal_access: z.boolean(),
  /** Whether accounts may connect to port 25 of other servers. */
  smtp_port_25: z.boolean(),
  is_active: z.boolean(),
});

export type PackageView = ViewOf<typeof hostingPackage>;
