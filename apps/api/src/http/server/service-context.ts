import type { OperatorContext, TokenIdentity } from '@innkeeper/services';
import type { Context } from 'hono';
import type { Deps } from '../../deps.ts';
import type { Env } from '../env.ts';

/** Context of the use cases, from a request whose token was recognised. */
export function serviceContext(c: Context<Env>, deps: Deps, { user, token }: TokenIdentity): OperatorContext {
  const { db, now, wakeNode, askNode, refreshUsage, sealer, appTemplates } = deps;
  const { gitAllowedNetworks, names, passwordHashes } = deps;
  const claim = c.get('claim');
  return {
    db,
    now,
    wakeNode,
    askNode,
    refreshUsage,
    sealer,
    appTemplates,
    gitAllowedNetworks,
    names,
    passwordHashes,
    requestId: c.get('requestId'),
    actor: { userId: user.id, role: user.role, tokenId: token.id, address: c.get('address') },
    ...(claim === undefined ? {} : { claim }),
  };
}
