import { findSuspensionReason } from '@innkeeper/db';
import { invalidField } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

const LONGEST = 255;

/** Returns the reason as it is stored: null without one. Throws `invalid` if it is too long. */
export function readSuspensionReason(reason: string | null | undefined): string | null {
  const text = (reason ?? '').trim();
  if (text.length > LONGEST)
    throw invalidField('reason', `The reason field must not be greater than ${LONGEST} characters.`);
  return text === '' ? null : text;
}

/** Why an account is suspended. Null: it is not, no reason was given, or the actor does not see the account. */
export async function getSuspensionReason(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<string | null> {
  return await findSuspensionReason(ctx.db, operatorScopeOf(ctx.actor), account_id);
}
