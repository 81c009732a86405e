import type { ReportOutcome } from '@innkeeper/protocol';
import type { ServiceContext } from '@innkeeper/services';

/** The last report of a node about an account. */
export interface ObservedAccount {
  id: number;
  observedGeneration: number;
  outcome: ReportOutcome | null;
}

/** Returns accounts in no order. Removed accounts are missing. */
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
