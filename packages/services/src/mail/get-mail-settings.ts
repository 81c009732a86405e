import { type Database, findMailSettings, type MailSettingsRow } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { OperatorContext } from '../context.ts';

/** The mail server of the installation, without its password. */
export interface MailSettings {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  username: string | null;
  has_password: boolean;
  sender_name: string;
  sender_address: string;
  welcomes_api_accounts: boolean;
}

/** For admins. Null: the installation sends no mail. */
export async function getMailSettings(ctx: OperatorContext): Promise<MailSettings | null> {
  requireMay(ctx.actor.role, 'mail.set');
  const row = await findMailSettings(ctx.db);
  return row === undefined ? null : mailSettingsOf(row);
}

/** Whether the installation sends mail. */
export async function isMailOn(db: Kysely<Database>): Promise<boolean> {
  return (await findMailSettings(db)) !== undefined;
}

export function mailSettingsOf(row: MailSettingsRow): MailSettings {
  const { host, port, encryption, username, sealed_password, sender_name, sender_address } = row;
  const has_password = sealed_password !== null;
  const welcomes_api_accounts = row.welcomes_api_accounts === 1;
  return {
    host,
    port,
    encryption,
    username,
    has_password,
    sender_name,
    sender_address,
    welcomes_api_accounts,
  };
}
