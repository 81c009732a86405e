import type { OperatorScope, PackageViewer, Scope } from '@innkeeper/db';
import { DomainError, isStaffRole } from '@innkeeper/domain';
import type { Actor, Operator, OperatorContext } from './context.ts';

/** The accounts that the actor sees. Staff sees all, a reseller those that it manages, an end user its own. */
export function scopeOf(actor: Actor): Scope {
  return actor.role === 'user' ? { accountId: actor.accountId } : operatorScopeOf(actor);
}

export function operatorScopeOf(operator: Operator): OperatorScope {
  return operator.role === 'reseller' ? { resellerUserId: resellerIdOf(operator) } : 'all';
}

/** The id of the acting reseller. Throws `unauthenticated` for a reseller without an id, which must not happen. */
export function resellerIdOf(actor: Operator): number {
  if (actor.userId === null) throw new DomainError('unauthenticated', 'Unauthenticated.');
  return actor.userId;
}

/** Throws DomainError `forbidden` unless the actor is of the staff. For reads of what resellers do not see. */
export function requireStaff(ctx: Pick<OperatorContext, 'actor'>): void {
  if (!isStaffRole(ctx.actor.role)) throw new DomainError('forbidden', 'This action is unauthorized.');
}

/** Throws DomainError `forbidden` for a user whose sign-in only admins manage: staff and resellers. */
export function requireManage(actor: Operator, user: { role: string }): void {
  if (actor.role !== 'admin' && user.role !== 'user')
    throw new DomainError('forbidden', 'This action is unauthorized.');
}

/** The viewer for package queries: staff, or a reseller. */
export function packageViewerOf(actor: Operator): PackageViewer {
  return actor.role === 'reseller' ? { role: 'reseller', user_id: actor.userId ?? 0 } : { role: 'admin' };
}

/** The owner whose tokens the actor sees: for a reseller itself; undefined for staff, which sees all tokens. */
export function tokenOwner(actor: Operator): number | undefined {
  return actor.role === 'reseller' ? resellerIdOf(actor) : undefined;
}
