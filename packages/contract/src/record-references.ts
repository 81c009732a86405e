import { z } from 'zod';
import { optional, required } from './fields/field.ts';
import { integer } from './fields/kinds.ts';
import { pageQuery } from './pagination.ts';

/** The account that a record belongs to. */
export const accountReference = { hosting_account_id: required(integer()) };

/** Filter of lists: the records of one account, or of all accounts that the token can see. */
export const ofAccountQuery = { hosting_account_id: optional(integer()), ...pageQuery };

/** The account, as part of its records. */
export const hostingAccount = z.strictObject({ id: z.int().min(1), username: z.string() });

/** The id in `hosting_account_id`, if it could be an account's id. Ignores the other fields. */
export function findAccountReference(fields: unknown): number | undefined {
  return z.object(accountReference).safeParse(fields).data?.hosting_account_id;
}

/** `{id}` of a path. Anything but the plain digits of an id returns 404, not 422. */
export const recordParams = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger)
    .meta({ type: 'integer', minimum: 1 }),
});
