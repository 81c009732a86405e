import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';

export const suspendAccount: Route<'suspendAccount'> = {
  answer: async ({ deps, context, params }) =>
    answerChanged({ deps, context }, await deps.services.suspendAccount(context, { account_id: params.id })),
};
