import { newStaffPerson, parseFields, type StaffPersonInput } from '@innkeeper/contract';
import { findStaffById, insertUser, inTransaction, takeStaffEmail, updateStaff } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { nobodysPasswordHash } from '../passwords/panel-password.ts';
import type { Signer } from '../secrets/signer.ts';
import { type Invitation, makeInvitation } from './invitation.ts';
import { type StaffView, staffView } from './staff-view.ts';

/**
 * Adds a person to the staff, without a password. The person sets it with the returned link, which works once and for 48
 * hours; so nobody else knows it. Throws `forbidden`, and `invalid` for malformed or taken values.
 */
export async function inviteStaff(
  ctx: OperatorContext & { signer: Signer },
  input: StaffPersonInput,
): Promise<{ staff: StaffView; invitation: Invitation }> {
  requireMay(ctx.actor.role, 'staff.invite');
  const { username, name = username, email, role } = parseFields(newStaffPerson, input);
  return await inTransaction(ctx.db, async (trx) => {
    const now = ctx.now();
    const id = await insertUser(trx, {
      username,
      name,
      email,
      role,
      password_hash: nobodysPasswordHash,
      now,
    });
    await takeStaffEmail(trx, email, id);
    await updateStaff(trx, id, { invited_at: now, updated_at: now });
    await audit(trx, ctx, {
      action: 'staff.invite',
      target: `user:${id}`,
      account_id: null,
      details: { after: { username, name, email, role } },
    });
    const row = (await findStaffById(trx, id))!;
    return { staff: staffView(row), invitation: makeInvitation(ctx.signer, { ...row, invited_at: now }) };
  });
}
