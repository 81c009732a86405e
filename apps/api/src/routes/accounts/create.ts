import { NodeRefusedError } from '../../http/error-response.ts';
import type { Route } from '../../http/route.ts';
import { settle } from './settle.ts';

export const createAccount: Route<'createAccount'> = {
  answer: async ({ deps, context, body }) => {
    const written = await deps.services.createAccount(context, body);
    const account_id = written.accountId;
    const observed = await settle(deps, written);
    if (observed.outcome === 'failed') {
      await deps.services.failCreate(context, { account_id, reason: observed.reason });
      throw new NodeRefusedError(
        context.actor.role === 'admin'
          ? observed.reason
          : 'The hosting server could not create the account. Nothing of it is kept.',
      );
    }
    return { data: await deps.services.getAccount(context, { account_id, include: new Set() }) };
  },
};
