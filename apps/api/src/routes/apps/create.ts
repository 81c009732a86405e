import { findAccountReference } from '@innkeeper/contract';
import type { Route } from '../../http/route.ts';

export const createApp: Route<'createApp'> = {
  requireRecord: async ({ deps, context }, fields) => {
    const hosting_account_id = findAccountReference(fields);
    if (hosting_account_id !== undefined) await deps.services.requireInstall(context, { hosting_account_id });
  },
  answer: async ({ deps, context, body }) => ({
    data: (await deps.services.createApp(context, body)).view,
  }),
};
