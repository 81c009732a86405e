import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../schema/index.ts';
import { countOf, countOfKept } from './account-contents.ts';
import type { AccountRow } from './accounts.ts';
import { nodeIsOnline } from './nodes.ts';
import { type Scope, within } from './scope.ts';

type OfAccount =
  | 'generation'
  | 'observed_generation'
  | 'outcome'
  | 'max_domains'
  | 'max_databases'
  | 'max_apps'
  | 'max_cron_jobs';

/** An account's present counts and its server. */
export interface AccountHosting extends Pick<AccountRow, OfAccount> {
  address: string;
  php_version: string | null;
  time_zone: string | null;
  /** 1 while the server is online. */
  online: number;
  /** Records that are being removed do not count. */
  domains: number;
  databases: number;
  apps: number;
  cron_jobs: number;
}

/** One SQL statement. Throws `not_found` like `lockAccount`. */
export async function getAccountHosting(
  db: Kysely<Database>,
  scope: Scope,
  accountId: number,
): Promise<AccountHosting> {
  let query = db
    .selectFrom('accounts')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select(['accounts.generation', 'accounts.observed_generation', 'accounts.outcome'])
    .select(['accounts.max_domains', 'accounts.max_databases', 'accounts.max_apps', 'accounts.max_cron_jobs'])
    .select(['nodes.address', 'nodes.php_version', 'nodes.time_zone', nodeIsOnline.as('online')])
    .select([
      countOfKept(db, 'domains', accountId).as('domains'),
      countOfKept(db, 'databases', accountId).as('databases'),
      countOfKept(db, 'apps', accountId).as('apps'),
      countOf(db, 'cron_jobs', accountId).$asScalar().$notNull().as('cron_jobs'),
    ])
    .where('accounts.id', '=', accountId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no account ${accountId}.`);
  return row;
}
