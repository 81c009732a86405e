import { canonicalAddress, DATABASE_LABEL_MAX_CHARACTERS } from '@innkeeper/domain';
import { z } from 'zod';
import { accountReference, ofAccountQuery } from '../account-reference.ts';
import type { InputOf } from '../endpoint.ts';
import { ipAddress, optional, required, text } from '../fields/index.ts';
import { recordParams } from '../record-params.ts';

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
