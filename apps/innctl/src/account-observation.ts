import { type Condition, conditionSchema } from '@innkeeper/protocol';
import type { OperatorContext } from '@innkeeper/services';
import { z } from 'zod';

/** The last report of an account's node, for an operator who looks for the cause of a problem. */
export interface AccountObservation {
  generation: number;
  observed_generation: number;
  outcome: string | null;
  observed_at: Date | null;
  conditions: Condition[];
}

/** Throws when there is no such account. */
export async function getAccountObservation(
  db: OperatorContext['db'],
  accountId: number,
): Promise<AccountObservation> {
  const { conditions, ...observation } = await db
    .selectFrom('accounts')
    .select(['generation', 'observed_generation', 'outcome', 'observed_at', 'conditions'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { ...observation, conditions: z.array(conditionSchema).parse(JSON.parse(conditions)) };
}
