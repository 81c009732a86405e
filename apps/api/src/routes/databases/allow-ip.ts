import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';

export const allowDatabaseIp: Route<'allowDatabaseIp'> = {
  requireRecord: ({ deps, context, params }) =>
    deps.services.getDatabase(context, { database_id: params.id }),
  answer: async ({ deps, context, params, body }) =>
    answerChanged(
      { deps, context },
      await deps.services.allowDatabaseIp(context, { database_id: params.id, ip: body.ip }),
    ),
};
