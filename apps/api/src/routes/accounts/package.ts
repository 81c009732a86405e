import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';
import { requireAccount } from './require-account.ts';

export const changeAccountPackage: Route<'changeAccountPackage'> = {
  requireRecord: (asked) => requireAccount(asked, asked.params.id),
  answer: async ({ deps, context, params, body }) =>
    answerChanged(
      { deps, context },
      await deps.services.changeAccountPackage(context, { account_id: params.id, ...body }),
    ),
};
