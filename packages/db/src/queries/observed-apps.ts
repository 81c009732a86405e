import type { Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import { deleteReleasesOfApps } from './app-releases.ts';
import type { ObservedApp } from './observed-records.ts';

export type AppStatusChange = Pick<ObservedApp, 'id' | 'status' | 'status_reason' | 'served_release_id'>;

/** At most 100, the maximum number of apps of an account. */
export async function storeAppStatuses(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly AppStatusChange[],
  now: Date,
): Promise<void> {
  for (const { id, ...change } of changes)
    await trx
      .updateTable('apps')
      .set({ ...change, updated_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
}

/** Deletes apps with their variables and releases. The caller has locked the account. */
export async function deleteGoneApps(
  trx: Transaction<Database>,
  accountId: number,
  appIds: readonly number[],
): Promise<void> {
  await deleteReleasesOfApps(trx, accountId, appIds);
  await trx
    .deleteFrom('app_env_vars')
    .where('account_id', '=', accountId)
    .where('app_id', 'in', appIds)
    .execute();
  await trx.deleteFrom('apps').where('account_id', '=', accountId).where('id', 'in', appIds).execute();
}
