import { z } from 'zod';
import { integer, optional, required } from './fields/index.ts';
import { pageQuery } from './pagination.ts';

/** The account that a record of its own belongs to. */
export const accountReference = { hosting_account_id: required(integer()) };

/** Lists of what accounts have: of one account, or of all that the token sees. */
export const ofAccountQuery = { hosting_account_id: optional(integer()), ...pageQuery };

/** The account as its records show it. */
export const hostingAccount = z.strictObject({ id: z.int().min(1), username: z.string() });

/** The id under `hosting_account_id`, where there is one that could be an account's; whatever the other fields are. */
export function findAccountReference(fields: unknown): number | undefined {
  return z.object(accountReference).safeParse(fields).data?.hosting_account_id;
}
