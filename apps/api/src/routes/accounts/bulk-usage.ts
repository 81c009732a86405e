import type { Route } from '../../http/route.ts';

export const getBulkUsage: Route<'getBulkUsage'> = {
  answer: async ({ deps, context, query }) =>
    deps.services.getBulkUsage(context, { account_ids: query.hosting_account_id }),
};
