import type { Route } from '../../http/route.ts';

export const checkUsername: Route<'checkUsername'> = {
  answer: async ({ deps, context, query }) => ({ data: await deps.services.checkUsername(context, query) }),
};
