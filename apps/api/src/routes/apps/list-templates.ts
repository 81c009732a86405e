import type { Route } from '../../http/route.ts';

export const listAppTemplates: Route<'listAppTemplates'> = {
  answer: async ({ deps, context }) => ({ data: await deps.services.listAppTemplates(context) }),
};
