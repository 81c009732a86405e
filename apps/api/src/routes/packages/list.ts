import type { Route } from '../../http/route.ts';

export const listPackages: Route<'listPackages'> = {
  answer: async ({ deps, context }) => ({ data: await deps.services.listPackages(context) }),
};
