import type { Operator } from '../context.ts';
import { resellerIdOf } from '../scope.ts';

/** Whose tokens the actor sees: an admin everybody's (undefined), a reseller its own. */
export function tokenOwner(actor: Operator): number | undefined {
  return actor.role === 'admin' ? undefined : resellerIdOf(actor);
}
