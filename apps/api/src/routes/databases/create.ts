import type { Route } from '../../http/route.ts';
import { requireOwner } from '../domains/require-owner.ts';

export const createDatabase: Route<'createDatabase'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, body }) => ({
    data: (await deps.services.createDatabase(context, body)).view,
  }),
};
