import type { AccountUsage, AppStatus } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../schema/index.ts';

/**
 * Returns the account's present counts of everything that has a limit. One SQL statement. Records that are being
 * removed do not count.
 */
export async function getAccountUsage(db: Kysely<Database>, accountId: number): Promise<AccountUsage> {
  return await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('domains')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('state', '=', 'active')
        .$asScalar()
        .$notNull()
        .as('domains'),
      eb
        .selectFrom('databases')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('state', '=', 'active')
        .$asScalar()
        .$notNull()
        .as('databases'),
      eb
        .selectFrom('apps')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('state', '!=', 'removing')
        .$asScalar()
        .$notNull()
        .as('apps'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('usage_snapshots')
            .select('disk_used_mb')
            .where('account_id', '=', accountId)
            .$asScalar(),
          eb.lit(0),
        )
        .as('disk_used_mb'),
    ])
    .executeTakeFirstOrThrow();
}

export interface AppSummaryRow {
  id: number;
  name: string;
  template_key: string;
  status: AppStatus;
}

/** The account's oldest apps, except those that are being removed. */
export async function findAppSummaries(
  db: Kysely<Database>,
  accountId: number,
  limit: number,
): Promise<AppSummaryRow[]> {
  return await db
    .selectFrom('apps')
    .select(['id', 'name', 'template_key', 'status'])
    .where('account_id', '=', accountId)
    .where('state', '!=', 'removing')
    .orderBy('id')
    .limit(limit)
    .execute();
}
