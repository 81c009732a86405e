import { type Database, inTransaction, type Measurement, storeMeasurements } from '@innkeeper/db';
import type { Answer } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import type { AskNode } from '../nodes/ask-node.ts';
import { isMonthNear } from './month.ts';

interface AccountOnNode {
  id: number;
  node_id: number;
}

/** Asks nodes to measure accounts and stores the results. Returns false if there is no result. */
export type RefreshUsage = (accounts: readonly AccountOnNode[]) => Promise<boolean>;

/**
 * Sends each node one request for all of its accounts, to all nodes in parallel, and stores the answers together. If an
 * account is already being measured, a second caller waits for that measurement. A node's answer is trusted only for
 * the accounts in the request. Rejects only with database errors.
 */
export function createUsageRefresher(options: {
  db: Kysely<Database>;
  askNode: AskNode;
  now: () => Date;
}): RefreshUsage {
  const underWay = new Map<number, Promise<boolean>>();
  return async (accounts) => {
    const others = accounts.filter(({ id }) => !underWay.has(id));
    if (others.length > 0) {
      const measuring = measure(options, others).finally(() => {
        for (const { id } of others) underWay.delete(id);
      });
      for (const { id } of others) underWay.set(id, measuring);
    }
    const awaited = new Set(accounts.flatMap(({ id }) => underWay.get(id) ?? []));
    return (await Promise.all(awaited)).includes(true);
  };
}

async function measure(
  { db, askNode, now }: Parameters<typeof createUsageRefresher>[0],
  accounts: readonly AccountOnNode[],
): Promise<boolean> {
  const askedAt = performance.now();
  const answers = await Promise.all(
    [...Map.groupBy(accounts, ({ node_id }) => node_id)].map(async ([nodeId, onNode]) => {
      const account_ids = onNode.map(({ id }) => id);
      const answer = await askNode(nodeId, 'usage', { account_ids });
      return answer === undefined ? [] : measurementsOf(nodeId, account_ids, answer, now());
    }),
  );
  const measurements = answers.flat().sort((a, b) => a.account_id - b.account_id);
  if (measurements.length === 0) return false;
  await inTransaction(db, (trx) => storeMeasurements(trx, measurements, performance.now() - askedAt));
  return true;
}

/** The results for the requested accounts. For duplicates the first result counts. */
function measurementsOf(
  node_id: number,
  asked: readonly number[],
  { month, accounts }: Answer<'usage'>,
  now: Date,
): Measurement[] {
  const expected = new Set(asked);
  const believed = isMonthNear(month, now) ? month : null;
  return accounts
    .filter(({ account_id }) => expected.delete(account_id))
    .map((account) => ({ ...account, node_id, month: believed }));
}
