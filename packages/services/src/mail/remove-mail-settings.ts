import { deleteMailSettings, findMailSettings, inTransaction } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { mailSettingsOf } from './get-mail-settings.ts';

/** The installation sends no mail any more, and its password is deleted. Mails that wait fail when they expire. */
export async function removeMailSettings(ctx: OperatorContext): Promise<void> {
  requireMay(ctx.actor.role, 'mail.remove');
  await inTransaction(ctx.db, async (trx) => {
    const before = await findMailSettings(trx);
    if (before === undefined) return;
    await deleteMailSettings(trx);
    await audit(trx, ctx, {
      action: 'mail.remove',
      target: 'installation',
      account_id: null,
      details: { before: mailSettingsOf(before) },
    });
  });
}
