import { findAccountReference } from '@innkeeper/contract';
import type { OperatorContext } from '@innkeeper/services';
import type { Services } from '../deps.ts';

interface Asked {
  services: Services;
  context: OperatorContext;
}

/** Throws `not_found` if the account does not exist or the caller cannot see it. */
export async function requireAccount({ services, context }: Asked, account_id: number): Promise<void> {
  await services.getAccount(context, { account_id, include: new Set() });
}

/** Throws `not_found` if the fields name an account that the caller cannot see. */
export async function requireOwner(asked: Asked, fields: unknown): Promise<void> {
  const accountId = findAccountReference(fields);
  if (accountId !== undefined) await requireAccount(asked, accountId);
}
