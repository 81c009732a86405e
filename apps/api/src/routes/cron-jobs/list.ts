import { pageEnvelope } from '../../http/page-envelope.ts';
import type { Route } from '../../http/route.ts';
import { requireOwner } from '../domains/require-owner.ts';

export const listCronJobs: Route<'listCronJobs'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, query }) => pageEnvelope(await deps.services.listCronJobs(context, query)),
};
