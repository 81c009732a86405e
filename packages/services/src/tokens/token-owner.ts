import type { Operator } from '../context.ts';
import { resellerIdOf } from '../scope.ts';

/** The owner whose tokens the actor sees: for a reseller itself; undefined for an admin, who sees all tokens. */
export function tokenOwner(actor: Operator): number | undefined {
  return actor.role === 'admin' ? undefined : resellerIdOf(actor);
}
