import type { Route } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';
import { requireOwner } from './require-owner.ts';

export const createDomain: Route<'createDomain'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, body }) => {
    const written = await deps.services.createDomain(context, body);
    await settle(deps, written);
    return { data: await deps.services.getDomain(context, { domain_id: written.view.id }) };
  },
};
