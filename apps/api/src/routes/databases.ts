import type { DatabaseView, Written } from '@innkeeper/services';
import { pageEnvelope } from '../http/page-envelope.ts';
import type { Asked, Routes } from '../http/route.ts';
import { requireOwner } from './require-account.ts';
import { waitForNode } from './wait-for-node.ts';

export const databases = {
  listDatabases: {
    requireRecord: requireOwner,
    answer: async ({ services, context, query }) =>
      pageEnvelope(await services.listDatabases(context, query)),
  },
  createDatabase: {
    requireRecord: requireOwner,
    answer: async ({ services, context, body }) => ({
      data: (await services.createDatabase(context, body)).view,
    }),
  },
  getDatabase: {
    answer: async ({ services, context, params }) => ({
      data: await services.getDatabase(context, { database_id: params.id }),
    }),
  },
  resetDatabasePassword: {
    answer: async (asked) => {
      const { services, context, params } = asked;
      return answerChanged(asked, await services.resetDatabasePassword(context, { database_id: params.id }));
    },
  },
  allowDatabaseIp: {
    requireRecord: ({ services, context, params }) =>
      services.getDatabase(context, { database_id: params.id }),
    answer: async (asked) => {
      const { services, context, params, body } = asked;
      const allowed = { database_id: params.id, ip: body.ip };
      return answerChanged(asked, await services.allowDatabaseIp(context, allowed));
    },
  },
  revokeDatabaseIp: {
    answer: async (asked) => {
      const { services, context, params } = asked;
      const revoked = { database_id: params.id, ip: params.ip };
      return answerChanged(asked, await services.revokeDatabaseIp(context, revoked));
    },
  },
  removeDatabase: {
    answer: async ({ services, context, params }) => {
      await services.removeDatabase(context, { database_id: params.id });
      return { message: 'Database removal queued' };
    },
  },
} satisfies Partial<Routes>;

/** Answers with the database once its node has applied the change or the timeout has ended. */
async function answerChanged(
  { deps, services, context }: Pick<Asked<'getDatabase'>, 'deps' | 'services' | 'context'>,
  written: Written<DatabaseView>,
): Promise<{ data: DatabaseView }> {
  await waitForNode(deps, written);
  return { data: await services.getDatabase(context, { database_id: written.view.id }) };
}
