import type { Route } from '../../http/route.ts';

export const removeDomain: Route<'removeDomain'> = {
  answer: async ({ deps, context, params }) => {
    await deps.services.removeDomain(context, { domain_id: params.id });
    return { message: 'Domain removal queued' };
  },
};
