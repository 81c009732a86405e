import type { Route } from '../../http/route.ts';

export const terminateAccount: Route<'terminateAccount'> = {
  answer: async ({ deps, context, params }) => {
    await deps.services.terminateAccount(context, { account_id: params.id });
    return { message: 'Termination queued' };
  },
};
