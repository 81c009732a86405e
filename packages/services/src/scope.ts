import type { OperatorScope, PackageViewer, Scope } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Actor, Operator, OperatorContext } from './context.ts';

/** The accounts that the actor sees. An admin sees all, a reseller those that it manages, an end user its own. */
export function scopeOf(actor: Actor): Scope {
  return actor.role === 'user' ? { accountId: actor.accountId } : operatorScopeOf(actor);
}

export function operatorScopeOf(operator: Operator): OperatorScope {
  return operator.role === 'admin' ? 'all' : { resellerUserId: resellerIdOf(operator) };
}

/** The id of the acting reseller. Throws `unauthenticated` for a reseller without an id, which must not happen. */
export function resellerIdOf(actor: Operator): number {
  if (actor.userId === null) throw new DomainError('unauthenticated', 'Unauthenticated.');
  return actor.userId;
}

/** Throws DomainError `forbidden` unless the actor is an admin. */
export function requireAdmin(ctx: Pick<OperatorContext, 'actor'>): void {
  if (ctx.actor.role !== 'admin') throw new DomainError('forbidden', 'This action is unauthorized.');
}

/** The viewer for package queries: an admin, or a reseller. */
export function packageViewerOf(actor: Operator): PackageViewer {
  return actor.role === 'admin' ? { role: 'admin' } : { role: 'reseller', user_id: actor.userId ?? 0 };
}

/** The owner whose tokens the actor sees: for a reseller itself; undefined for an admin, who sees all tokens. */
export function tokenOwner(actor: Operator): number | undefined {
  return actor.role === 'admin' ? undefined : resellerIdOf(actor);
}
