import { canonicalAddress, DATABASE_LABEL_MAX_CHARACTERS } from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { optional, required } from '../fields/field.ts';
import { ipAddress, text } from '../fields/kinds.ts';
import { accountReference, ofAccountQuery, recordParams } from '../record-references.ts';

export const listDatabasesQuery = z.object(ofAccountQuery);

export const createDatabaseBody = z.object({
  ...accountReference,
  /** Display label. The name on the server is made from it. */
  name: optional(text({ max: DATABASE_LABEL_MAX_CHARACTERS })),
});

export const allowedIpBody = z.object({ ip: required(ipAddress()) });

/** `{ip}` of a path, in any notation. An invalid address returns 404, not 422. */
export const allowedIpParams = recordParams.extend({
  ip: z
    .string()
    .refine((text) => canonicalAddress(text) !== undefined)
    .transform((text) => canonicalAddress(text) ?? text)
    .meta({ type: 'string' }),
});

export type NewDatabase = InputOf<typeof createDatabaseBody>;
