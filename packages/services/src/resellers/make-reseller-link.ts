import { findMailRecipient, inTransaction, lockReseller } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { makePasswordLink } from '../password-links/password-link.ts';
import { getReseller } from './reseller.ts';

const HOURS = 48;

/**
 * Makes a link with which a reseller sets its password itself, once and within 48 hours; so no operator knows it. The
 * present password works until then. Only the caller gets the link. Throws `not_found`, and `precondition_failed` for a
 * suspended reseller.
 */
export async function makeResellerLink(
  ctx: OperatorContext & { publicUrl: string },
  { reseller }: { reseller: string },
): Promise<{ url: string; hours: number }> {
  requireMay(ctx.actor.role, 'reseller.password-link');
  return await inTransaction(ctx.db, async (trx) => {
    const { id, username } = await getReseller(trx, reseller);
    const locked = await lockReseller(trx, id);
    const user = await findMailRecipient(trx, { id });
    if (locked === undefined || user === undefined)
      throw new DomainError('not_found', `There is no reseller "${username}".`);
    if (locked.disabled_at !== null)
      throw new DomainError('precondition_failed', `${username} is suspended, so it cannot set a password.`);
    const url = await makePasswordLink({ ...ctx, db: trx }, user, HOURS * 3_600_000);
    await audit(trx, ctx, {
      action: 'reseller.password-link',
      target: `user:${id}`,
      account_id: null,
      details: { username, hours: HOURS },
    });
    return { url, hours: HOURS };
  });
}
