import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';

export const unsuspendAccount: Route<'unsuspendAccount'> = {
  answer: async ({ deps, context, params }) =>
    answerChanged(
      { deps, context },
      await deps.services.unsuspendAccount(context, { account_id: params.id }),
    ),
};
