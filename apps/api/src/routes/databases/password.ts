import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';

export const resetDatabasePassword: Route<'resetDatabasePassword'> = {
  answer: async ({ deps, context, params }) =>
    answerChanged(
      { deps, context },
      await deps.services.resetDatabasePassword(context, { database_id: params.id }),
    ),
};
