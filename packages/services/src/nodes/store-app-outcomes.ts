import {
  type AccountRow,
  closeReleases,
  type Database,
  deleteGoneApps,
  type ObservedApp,
  type ObservedRecords,
  storeChanges,
  storeReleaseCommit,
} from '@innkeeper/db';
import type { AccountReport } from '@innkeeper/protocol';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { appOutcomes } from './app-outcomes.ts';
import { nodeAsActor } from './node-actor.ts';

/**
 * Stores the reported apps of an account, from a report of the newest generation. A report of an older generation does
 * not include the newest deploy and could report it done before it started. A node reports the same generation again
 * while its apps progress (installing, building, running). Deletes tombstones that the node reports gone, once the
 * generation is final. Returns the apps that stay. The caller has locked the account.
 */
export async function storeAppOutcomes(
  trx: Transaction<Database>,
  account: AccountRow,
  { report, node_id, now }: { report: AccountReport; node_id: number; now: Date },
  { apps, releaseApps }: Pick<ObservedRecords, 'apps' | 'releaseApps'>,
): Promise<readonly ObservedApp[]> {
  if (report.apps.length === 0 || report.observed_generation < account.generation) return apps;
  const { changed, gone, served, failed, commits } = appOutcomes(apps, report.apps, releaseApps);
  await storeChanges(trx, 'apps', account.id, changed, now);
  for (const { commit, ...release } of commits)
    await storeReleaseCommit(trx, { ...release, account_id: account.id }, commit);
  await closeReleases(trx, account.id, served, 'served', now);
  await closeReleases(trx, account.id, failed, 'failed', now);
  if (report.outcome === 'progressing' || gone.length === 0) return apps;
  await deleteGoneApps(
    trx,
    account.id,
    gone.map(({ id }) => id),
  );
  await audit(trx, nodeAsActor(node_id, now), {
    action: 'app.removed',
    target: `account:${account.id}`,
    account_id: account.id,
    details: { before: { apps: gone.map(({ name }) => name) }, count: gone.length },
  });
  return apps.filter((app) => !gone.includes(app));
}
