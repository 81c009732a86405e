import { conditionSchema, type ReportOutcome } from '@innkeeper/protocol';
import type { ServiceContext } from '@innkeeper/services';
import { z } from 'zod';

/** What a node last reported of an account. */
export interface ObservedAccount {
  id: number;
  observedGeneration: number;
  outcome: ReportOutcome | null;
  /** The node's sentences about what is not as it should be. */
  reason: string;
}

const conditions = z.array(conditionSchema);

/** In no order; accounts that are gone are left out. */
export async function findObserved(
  db: ServiceContext['db'],
  accountIds: readonly number[],
): Promise<ObservedAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'observed_generation', 'outcome', 'conditions'])
    .where('id', 'in', accountIds)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    observedGeneration: row.observed_generation,
    outcome: row.outcome,
    reason: row.outcome === 'failed' ? reasonOf(row.conditions) : '',
  }));
}

function reasonOf(json: string): string {
  const failing = conditions.parse(JSON.parse(json)).filter(({ reason }) => reason !== 'Applied');
  return failing.map(({ message }) => message).join(' ') || 'The hosting server gave no reason.';
}
