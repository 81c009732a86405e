import { findStaff, findStaffById } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type StaffView, staffView } from './staff-view.ts';

/** All staff, ordered by name, for admins. */
export async function listStaff(ctx: OperatorContext): Promise<StaffView[]> {
  requireMay(ctx.actor.role, 'staff.invite');
  return (await findStaff(ctx.db)).map(staffView);
}

/** One person of the staff, for admins. Throws `not_found`. */
export async function getStaff(ctx: OperatorContext, { user_id }: { user_id: number }): Promise<StaffView> {
  requireMay(ctx.actor.role, 'staff.invite');
  const row = await findStaffById(ctx.db, user_id);
  if (row === undefined) throw noStaff(user_id);
  return staffView(row);
}

export function noStaff(id: number): DomainError {
  return new DomainError('not_found', `There is no person ${id} on the staff.`);
}
