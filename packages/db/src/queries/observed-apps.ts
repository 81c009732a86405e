import type { Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import { deleteReleasesOfApps } from './app-releases.ts';

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
