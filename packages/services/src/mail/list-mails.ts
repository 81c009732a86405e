import { findNewestMails, type ListedMail } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';

export type MailItem = ListedMail;

const LISTED = 50;

/** The 50 newest mails of the outbox, for admins. */
export async function listMails(ctx: OperatorContext): Promise<MailItem[]> {
  requireMay(ctx.actor.role, 'mail.set');
  return await findNewestMails(ctx.db, LISTED);
}
