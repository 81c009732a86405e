import type { OperatorContext } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';
import { NodeRefusedError } from '../../http/error-response.ts';
import type { Route } from '../../http/route.ts';
import { settle } from './settle.ts';

export const createAccount: Route<'createAccount'> = {
  answer: async ({ deps, context, body }) => {
    const written = await deps.services.createAccount(context, body);
    const { outcome } = await settle(deps, written);
    // If the node refuses a create, its report rolls the create back, so the account may be gone by now.
    if (outcome === 'failed' || outcome === 'absent')
      throw await refusalFor(deps, context, written.accountId);
    return {
      data: await deps.services.getAccount(context, { account_id: written.accountId, include: new Set() }),
    };
  },
};

/** Only admins see the node's own message. */
async function refusalFor(deps: Deps, context: OperatorContext, account_id: number): Promise<Error> {
  const failure = await deps.services.findCreateFailure(context, { account_id });
  const reason = context.actor.role === 'admin' ? failure?.reason : undefined;
  if (failure?.field === 'username')
    return new NodeRefusedError(
      `The username cannot be used: ${reason ?? 'the hosting server has a user or files of this name already.'}`,
      failure.field,
    );
  return new NodeRefusedError(
    reason ?? 'The hosting server could not create the account. Nothing of it is kept.',
  );
}
