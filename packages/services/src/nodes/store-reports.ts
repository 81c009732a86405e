import {
  type Database,
  findObservedRecords,
  inTransaction,
  lockFreeAccountsOfNode,
  type ObservedRecords,
  storeObservations,
} from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { together } from '../together.ts';
import { assertNewestSession } from './node-session.ts';
import {
  finishesGeneration,
  observationOf,
  observedOf,
  recordsAskedFor,
  type StoredReport,
  type StoreReportInput,
  storeChildOutcomes,
  storeReport,
} from './store-report.ts';

/** Accounts that one transaction locks at most. */
const LARGEST_BATCH = 50;

export type StoreReport = (input: StoreReportInput) => Promise<StoredReport>;

/**
 * `storeReport` for many reports. Those of one session that arrive together and finish a generation share a
 * transaction. The others have their own: an account that another transaction has locked (so that no report waits for
 * another account's lock), a second report about one account, a refusal, a removal. If the shared transaction fails,
 * every report of it gets its own, so no report fails because of another one.
 */
export function createStoreReport(db: Kysely<Database>): StoreReport {
  return together((inputs: readonly StoreReportInput[]) => storeReports(db, inputs));
}

function storeReports(db: Kysely<Database>, inputs: readonly StoreReportInput[]): Promise<StoredReport>[] {
  const sessions = Map.groupBy(inputs, ({ node_id, session_id }) => `${node_id} ${session_id}`);
  const stored = new Map<StoreReportInput, Promise<StoredReport>>();
  for (const ofSession of sessions.values())
    for (let start = 0; start < ofSession.length; start += LARGEST_BATCH) {
      const batch = ofSession.slice(start, start + LARGEST_BATCH);
      const shared = batch.length === 1 ? Promise.resolve(none) : storeTogether(db, batch).catch(() => none);
      for (const input of batch)
        stored.set(
          input,
          shared.then((done) => done.get(input) ?? storeReport(db, input)),
        );
    }
  return inputs.map((input) => stored.get(input) ?? storeReport(db, input));
}

const none: ReadonlyMap<StoreReportInput, StoredReport> = new Map();

/** Returns the results of the reports that the transaction stored. */
async function storeTogether(
  db: Kysely<Database>,
  batch: readonly StoreReportInput[],
): Promise<ReadonlyMap<StoreReportInput, StoredReport>> {
  const inputs = [...new Map(batch.map((input) => [input.report.account_id, input])).values()];
  const [{ node_id, now }] = inputs as [StoreReportInput];
  const asked = recordsAskedFor(
    node_id,
    inputs.map(({ report }) => report),
  );
  return await inTransaction(db, async (trx) => {
    const accounts = await lockFreeAccountsOfNode(trx, asked.account_ids, node_id);
    const records = await findObservedRecords(trx, asked);
    for (const input of inputs) assertNewestSession(input, records.newestSession);
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const finished = inputs.flatMap((input) => {
      const account = byId.get(input.report.account_id);
      return account !== undefined && finishesGeneration(account, input.report) ? [{ account, input }] : [];
    });
    const observations = finished.map(({ account, input }) => observationOf(account, input.report));
    await storeObservations(trx, observations, now);
    for (const { account, input } of finished)
      await storeChildOutcomes(trx, account, input, ofAccount(records, account.id));
    return new Map(
      finished.map(({ input }) => [input, { stored: true, observed: observedOf(input.report) }]),
    );
  });
}

function ofAccount(records: ObservedRecords, accountId: number): ObservedRecords {
  const own = <Row extends { account_id: number }>(rows: readonly Row[]) =>
    rows.filter(({ account_id }) => account_id === accountId);
  return {
    ...records,
    domains: own(records.domains),
    apps: own(records.apps),
    databases: own(records.databases),
  };
}
