import { z } from 'zod';

/** `{id}` of a path. Anything but the plain digits of an id returns 404, not 422. */
export const recordParams = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger)
    .meta({ type: 'integer', minimum: 1 }),
});
