import { newPassword, parseFields } from '@innkeeper/contract';
import { type Database, findStaffById, inTransaction, lockUser, updateStaff } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { CountAttempt } from '../attempt-limits.ts';
import { audit } from '../audit.ts';
import type { VisitorContext } from '../panel-context.ts';
import { hashPanelPassword } from '../passwords/panel-password.ts';
import { type Invitation, isInvitation } from './invitation.ts';

type Context = VisitorContext & { countAttempt: CountAttempt };

/** The name that an invitation is for. Throws `forbidden` for a link that is not ours, was used or has expired. */
export async function checkInvitation(ctx: Context, invitation: Invitation): Promise<{ username: string }> {
  await ctx.countAttempt('sign-in-address', { address: ctx.address });
  return await requireInvited(ctx.db, ctx, invitation);
}

/** Sets the password of an invited person. The link then stops working. Throws like `checkInvitation`, and `invalid`. */
export async function acceptInvitation(
  ctx: Context,
  { invitation, password }: { invitation: Invitation; password: string },
): Promise<{ username: string }> {
  const { user_id: id } = invitation;
  await checkInvitation(ctx, invitation);
  parseFields(newPassword, { password });
  const password_hash = await hashPanelPassword(password);
  return await inTransaction(ctx.db, async (trx) => {
    await lockUser(trx, id);
    const { username } = await requireInvited(trx, ctx, invitation);
    await updateStaff(trx, id, { password_hash, invited_at: null, updated_at: ctx.now() });
    const actor = { userId: id, tokenId: null, address: ctx.address };
    await audit(
      trx,
      { ...ctx, actor },
      {
        action: 'staff.accept-invitation',
        target: `user:${id}`,
        account_id: null,
        details: { username, replaced: ['password'] },
      },
    );
    return { username };
  });
}

async function requireInvited(
  db: Kysely<Database>,
  { signer, now }: Context,
  invitation: Invitation,
): Promise<{ username: string }> {
  const user = await findStaffById(db, invitation.user_id);
  if (user === undefined || user.disabled_at !== null || !isInvitation(signer, user, invitation, now()))
    throw new DomainError(
      'forbidden',
      'This link has expired or was used. Ask the administrator who invited you for a new one.',
    );
  return { username: user.username };
}
