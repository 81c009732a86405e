import type { Scope } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Actor } from './context.ts';

/** The accounts that the actor sees: an admin all, a reseller those that it manages. */
export function scopeOf(actor: Actor): Scope {
  return actor.role === 'admin' ? 'all' : { resellerUserId: resellerIdOf(actor) };
}

/** The id of the reseller who acts. Throws `unauthenticated` for a reseller without one, who cannot be. */
export function resellerIdOf(actor: Actor): number {
  if (actor.userId === null) throw new DomainError('unauthenticated', 'Unauthenticated.');
  return actor.userId;
}
