import { findMailSettings, insertMail, inTransaction } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';

const EXPIRES_IN_S = 10 * 60;

/** Puts a mail to the admin who asks into the outbox. Throws `conflict` without a mail server. */
export async function sendTestMail(
  ctx: OperatorContext,
  { language }: { language?: string } = {},
): Promise<void> {
  requireMay(ctx.actor.role, 'mail.test');
  const { userId } = ctx.actor;
  if (userId === null) throw new DomainError('conflict', 'Only a user of the panel has an email address.');
  await inTransaction(ctx.db, async (trx) => {
    if ((await findMailSettings(trx)) === undefined)
      throw new DomainError('conflict', 'Save the settings of the mail server first.');
    await insertMail(trx, { kind: 'test', user_id: userId, language, expiresInS: EXPIRES_IN_S });
    await audit(trx, ctx, { action: 'mail.test', target: `user:${userId}`, account_id: null });
  });
}
