import type { OperatorContext } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';

/** Throws `not_found` for an account that does not exist or that the caller does not see. */
export async function requireAccount(
  { deps, context }: { deps: Deps; context: OperatorContext },
  accountId: number,
): Promise<void> {
  await deps.services.getAccount(context, { account_id: accountId, include: new Set() });
}
