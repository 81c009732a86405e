import type { Insertable, Kysely, Transaction } from 'kysely';
import type { AuditLogTable, Database } from '../schema/index.ts';

export async function insertAuditRow(
  trx: Transaction<Database>,
  row: Insertable<AuditLogTable>,
): Promise<void> {
  await trx.insertInto('audit_log').values(row).execute();
}

/** The details (JSON) of the newest row of this action on an account; undefined where there is none. */
export async function findAuditDetails(
  db: Kysely<Database>,
  accountId: number,
  action: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('details')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.details;
}
