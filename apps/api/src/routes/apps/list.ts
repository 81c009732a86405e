import { pageEnvelope } from '../../http/page-envelope.ts';
import type { Route } from '../../http/route.ts';
import { requireOwner } from '../domains/require-owner.ts';

export const listApps: Route<'listApps'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, query }) => pageEnvelope(await deps.services.listApps(context, query)),
};
