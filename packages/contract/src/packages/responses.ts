import { z } from 'zod';
import { packageLimitValues } from '../limit-values.ts';

export const hostingPackage = z.strictObject({
  id: z.int().min(1),
  name: z.string(),
  slug: z.string(),
  ...packageLimitValues,
  terminal_access: z.boolean(),
  smtp_port_25: z.boolean(),
  is_active: z.boolean(),
});
