import type { OperatorContext } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';

/** Throws `not_found` if the account does not exist or the caller cannot see it. */
export async function requireAccount(
  { deps, context }: { deps: Deps; context: OperatorContext },
  accountId: number,
): Promise<void> {
  await deps.services.getAccount(context, { account_id: accountId, include: new Set() });
}
