import type { Insertable, Transaction } from 'kysely';
import type { AuditLogTable, Database } from '../schema/index.ts';

export async function insertAuditRow(
  trx: Transaction<Database>,
  row: Insertable<AuditLogTable>,
): Promise<void> {
  await trx.insertInto('audit_log').values(row).execute();
}
