import type { Route } from '../../http/route.ts';
import { answerChanged } from './answer-changed.ts';

export const revokeDatabaseIp: Route<'revokeDatabaseIp'> = {
  answer: async ({ deps, context, params }) =>
    answerChanged(
      { deps, context },
      await deps.services.revokeDatabaseIp(context, { database_id: params.id, ip: params.ip }),
    ),
};
