import type { OperatorScope, Scope } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Actor, Operator } from './context.ts';

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
