import { pageEnvelope } from '../../http/page-envelope.ts';
import type { Route } from '../../http/route.ts';

export const listAccounts: Route<'listAccounts'> = {
  answer: async ({ deps, context, query }) => pageEnvelope(await deps.services.listAccounts(context, query)),
};
