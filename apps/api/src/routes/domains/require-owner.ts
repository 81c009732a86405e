import { findAccountReference } from '@innkeeper/contract';
import type { OperatorContext } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';
import { requireAccount } from '../accounts/require-account.ts';

/** Throws `not_found` if the fields name an account that the caller cannot see. */
export async function requireOwner(
  asked: { deps: Deps; context: OperatorContext },
  fields: unknown,
): Promise<void> {
  const accountId = findAccountReference(fields);
  if (accountId !== undefined) await requireAccount(asked, accountId);
}
