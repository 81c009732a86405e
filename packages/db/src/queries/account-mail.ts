import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { AccountMailTable, Database } from '../schema/index.ts';

export type AccountMailRow = Selectable<AccountMailTable>;

/** Undefined: its server has reported no mail of the account. */
export async function findAccountMail(
  db: Kysely<Database>,
  accountId: number,
): Promise<AccountMailRow | undefined> {
  return await db
    .selectFrom('account_mail')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Keeps what a server reports of its own accounts; others are left out. One SQL statement. */
export async function storeAccountMail(
  trx: Transaction<Database>,
  nodeId: number,
  counts: readonly Omit<AccountMailRow, 'reported_at'>[],
  now: Date,
): Promise<void> {
  if (counts.length === 0) return;
  const own = await trx
    .selectFrom('accounts')
    .select('id')
    .where('node_id', '=', nodeId)
    .where(
      'id',
      'in',
      counts.map(({ account_id }) => account_id),
    )
    .execute();
  const ids = new Set(own.map(({ id }) => id));
  const rows = counts
    .filter(({ account_id }) => ids.has(account_id))
    .map((row) => ({ ...row, reported_at: now }));
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).filter((name) => name !== 'account_id') as (keyof AccountMailRow)[];
  await trx
    .insertInto('account_mail')
    .values(rows)
    .onDuplicateKeyUpdate(
      Object.fromEntries(columns.map((name) => [name, sql.raw(`values(${name})`)])) as never,
    )
    .execute();
}

/** The limits of mail that the package of an account has. */
export async function getMailLimits(
  db: Kysely<Database>,
  accountId: number,
): Promise<{ mail_per_hour: number; mail_per_day: number }> {
  return await db
    .selectFrom('accounts')
    .innerJoin('packages', 'packages.id', 'accounts.package_id')
    .select(['packages.mail_per_hour', 'packages.mail_per_day'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
}
