import {
  type AccountRow,
  type CronJobDetails,
  type Database,
  getCronJobDetails,
  lockAccount,
} from '@innkeeper/db';
import { assertChangeable } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/**
 * Locks the account of a cron job, and answers both as they are then. Throws `not_found`, and
 * `precondition_failed` while the account is being terminated.
 */
export async function lockCronJob(
  trx: Transaction<Database>,
  { actor }: Pick<ServiceContext, 'actor'>,
  cronJobId: number,
): Promise<{ account: AccountRow; job: CronJobDetails }> {
  const scope = scopeOf(actor);
  const { account_id } = await getCronJobDetails(trx, scope, cronJobId);
  const account = await lockAccount(trx, scope, account_id);
  assertChangeable(account.state);
  return { account, job: await getCronJobDetails(trx, scope, cronJobId) };
}
