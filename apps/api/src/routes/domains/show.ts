import type { Route } from '../../http/route.ts';

export const getDomain: Route<'getDomain'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getDomain(context, { domain_id: params.id }),
  }),
};
