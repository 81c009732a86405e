import type { ReportOutcome } from '@innkeeper/protocol';
import type { ServiceContext } from '@innkeeper/services';

/** What a node last reported of an account. */
export interface ObservedAccount {
  id: number;
  observedGeneration: number;
  outcome: ReportOutcome | null;
}

/** In no order; accounts that are gone are left out. */
export async function findObserved(
  db: ServiceContext['db'],
  accountIds: readonly number[],
): Promise<ObservedAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'observed_generation', 'outcome'])
    .where('id', 'in', accountIds)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    observedGeneration: row.observed_generation,
    outcome: row.outcome,
  }));
}
