import type { Route } from '../../http/route.ts';
import { requireAccount } from './require-account.ts';

export const getAccount: Route<'getAccount'> = {
  requireRecord: (asked) => requireAccount(asked, asked.params.id),
  answer: async ({ deps, context, params, query }) => ({
    data: await deps.services.getAccount(context, { account_id: params.id, include: query.include }),
  }),
};
