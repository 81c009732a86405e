import { type Database, findSignInUser, inTransaction } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { UserContext } from '../panel-context.ts';
import { withCodeBudget } from './code-budget.ts';
import { requireCode, type SecondFactorKind } from './spend-code.ts';

/** Runs a transaction for a signed-in user who enters a code. Throws like `withCodeBudget`. */
export async function withOwnCode<T>(
  ctx: UserContext,
  typed: string,
  work: (trx: Transaction<Database>, kind: SecondFactorKind) => Promise<T>,
): Promise<T> {
  const { userId, address } = ctx.actor;
  const user = await findSignInUser(ctx.db, { id: userId });
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  return await withCodeBudget({ ...ctx, address }, { user, typed }, () =>
    inTransaction(ctx.db, async (trx) => work(trx, await requireCode(trx, ctx, userId, typed))),
  );
}
