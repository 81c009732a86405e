import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import type { MailSettingsTable } from '../schema/mail.ts';

export type MailSettingsRow = Selectable<MailSettingsTable>;

const ONLY = 1;

/** Undefined: the installation sends no mail. */
export async function findMailSettings(db: Kysely<Database>): Promise<MailSettingsRow | undefined> {
  return await db.selectFrom('mail_settings').selectAll().where('id', '=', ONLY).executeTakeFirst();
}

export async function storeMailSettings(
  trx: Transaction<Database>,
  settings: Omit<MailSettingsRow, 'id'>,
): Promise<void> {
  await trx
    .insertInto('mail_settings')
    .values({ id: ONLY, ...settings })
    .onDuplicateKeyUpdate(settings)
    .execute();
}

export async function deleteMailSettings(trx: Transaction<Database>): Promise<void> {
  await trx.deleteFrom('mail_settings').where('id', '=', ONLY).execute();
}
