import { z } from 'zod';
import { integer, required } from './fields/index.ts';

/** The account that a record of its own belongs to. */
export const accountReference = { hosting_account_id: required(integer()) };

/** The id under `hosting_account_id`, where there is one that could be an account's; whatever the other fields are. */
export function findAccountReference(fields: unknown): number | undefined {
  return z.object(accountReference).safeParse(fields).data?.hosting_account_id;
}
