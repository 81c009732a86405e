import { type Ability, allowlistAdmits, DomainError, hasAbility } from '@innkeeper/domain';
import type { TokenIdentity } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';
import type { Step } from '../env.ts';

const BEARER = /^Bearer +([^\s]{1,200})$/i;

/**
 * Requires a valid token, used from an address that it allows. Throws DomainError `unauthenticated` or `forbidden`.
 * Records the use of a token once per lookup, not once per request.
 */
export function authenticate({ tokens, noteTokenUse }: Pick<Deps, 'tokens' | 'noteTokenUse'>): Step {
  const noted = new WeakSet<TokenIdentity>();
  return async (c) => {
    const plainToken = BEARER.exec(c.req.header('Authorization') ?? '')?.[1];
    const identity = plainToken === undefined ? null : await tokens.find(plainToken);
    if (identity === null) throw new DomainError('unauthenticated', 'Unauthenticated.');
    c.set('identity', identity);
    const address = c.get('address');
    if (!allowlistAdmits(identity.allowedIps, address)) {
      throw new DomainError('forbidden', 'This API token is not allowed from your IP address.');
    }
    if (!noted.has(identity)) {
      noted.add(identity);
      noteTokenUse(identity.token.id, address);
    }
  };
}

/** Requires a token with the ability. Throws DomainError `forbidden`. */
export function requireAbility(ability: Ability): Step {
  return async (c) => {
    if (!hasAbility(c.get('identity')?.token.abilities ?? [], ability)) {
      throw new DomainError('forbidden', 'This API token does not have the required permission.');
    }
  };
}
