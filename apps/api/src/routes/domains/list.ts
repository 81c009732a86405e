import { pageEnvelope } from '../../http/page-envelope.ts';
import type { Route } from '../../http/route.ts';
import { requireOwner } from './require-owner.ts';

export const listDomains: Route<'listDomains'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, query }) => pageEnvelope(await deps.services.listDomains(context, query)),
};
