import { type MailSettingsInput, mailSettings, parseFields } from '@innkeeper/contract';
import { findMailSettings, inTransaction, type MailSettingsRow, storeMailSettings } from '@innkeeper/db';
import { invalidField, isLoopbackAddress, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { mailSettingsOf } from './get-mail-settings.ts';

/**
 * Sets the mail server of the installation. The stored password stays if none is given and the server, its encryption
 * and the username are the same: otherwise another server would get it. `ports`: those that the installation allows.
 * Throws `invalid` with the field, and `forbidden` unless an admin asks.
 */
export async function setMailSettings(
  ctx: OperatorContext,
  { ports, ...input }: MailSettingsInput & { ports: readonly number[] },
): Promise<void> {
  requireMay(ctx.actor.role, 'mail.set');
  const {
    smtp_password,
    username = null,
    welcomes_api_accounts = false,
    ...server
  } = parseFields(mailSettings, input);
  if (!ports.includes(server.port))
    throw invalidField('port', `This installation allows the ports ${ports.join(', ')}.`);
  if (server.encryption === 'none' && !(server.host === 'localhost' || isLoopbackAddress(server.host)))
    throw invalidField(
      'encryption',
      'Without encryption the server must be on this host: localhost or 127.0.0.1.',
    );
  await inTransaction(ctx.db, async (trx) => {
    const before = await findMailSettings(trx);
    const row = {
      ...server,
      username,
      sealed_password: sealedPassword(ctx, { ...server, username }, smtp_password, before),
      welcomes_api_accounts: welcomes_api_accounts ? 1 : 0,
      updated_at: ctx.now(),
    };
    await storeMailSettings(trx, row);
    const after = mailSettingsOf({ id: 1, ...row });
    const was = before === undefined ? {} : mailSettingsOf(before);
    await audit(trx, ctx, {
      action: 'mail.set',
      target: 'installation',
      account_id: null,
      details: {
        ...changedFields({ ...was }, { ...after }),
        ...(smtp_password === undefined ? {} : { replaced: ['password'] }),
      },
    });
  });
}

function sealedPassword(
  { sealer }: OperatorContext,
  wanted: Pick<MailSettingsRow, 'host' | 'port' | 'encryption' | 'username'>,
  password: string | undefined,
  before: MailSettingsRow | undefined,
): string | null {
  if (wanted.username === null) {
    if (password !== undefined)
      throw invalidField('username', 'The username field is required with a password.');
    return null;
  }
  if (password !== undefined) return sealer.seal('smtp-password', password);
  const kept = before?.sealed_password ?? null;
  if (kept === null) throw invalidField('smtp_password', 'Enter the password of the mail server.');
  const isSame = (['host', 'port', 'encryption', 'username'] as const).every(
    (field) => before?.[field] === wanted[field],
  );
  if (!isSame)
    throw invalidField(
      'smtp_password',
      'Enter the password again: the server or the username is another one.',
    );
  return kept;
}
