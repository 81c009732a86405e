import type { OperatorContext } from '@innkeeper/services';
import type { Services } from '../deps.ts';
import { NodeRefusedError } from '../http/error-response.ts';
import { pageEnvelope } from '../http/page-envelope.ts';
import type { Routes } from '../http/route.ts';
import { requireAccount } from './require-account.ts';
import { answerSynced, waitForNode } from './wait-for-node.ts';

export const accounts = {
  listAccounts: {
    answer: async ({ services, context, query }) => pageEnvelope(await services.listAccounts(context, query)),
  },
  checkUsername: {
    answer: async ({ services, context, query }) => ({ data: await services.checkUsername(context, query) }),
  },
  getBulkUsage: {
    answer: async ({ services, context, query }) =>
      services.getBulkUsage(context, { account_ids: query.hosting_account_id }),
  },
  createAccount: {
    answer: async ({ deps, services, context, body }) => {
      const written = await services.createAccount(context, body, { welcome: 'as-set' });
      const { outcome } = await waitForNode(deps, written);
      // If the node refuses a create, its report rolls the create back, so the account may be gone by now.
      if (outcome === 'failed' || outcome === 'absent')
        throw await refusalFor(services, context, written.accountId);
      return { data: { ...written.view, synced: outcome === 'applied' } };
    },
  },
  getAccount: {
    requireRecord: (asked) => requireAccount(asked, asked.params.id),
    answer: async ({ services, context, params, query }) => ({
      data: await services.getAccount(context, { account_id: params.id, include: query.include }),
    }),
  },
  getUsage: {
    answer: async ({ services, context, params }) => ({
      data: await services.getUsage(context, { account_id: params.id }),
    }),
  },
  suspendAccount: {
    answer: async ({ deps, services, context, params }) =>
      answerSynced(deps, await services.suspendAccount(context, { account_id: params.id })),
  },
  unsuspendAccount: {
    answer: async ({ deps, services, context, params }) =>
      answerSynced(deps, await services.unsuspendAccount(context, { account_id: params.id })),
  },
  setAccountPassword: {
    requireRecord: (asked) => requireAccount(asked, asked.params.id),
    answer: async ({ deps, services, context, params, body }) =>
      answerSynced(deps, await services.setAccountPassword(context, { account_id: params.id, ...body })),
  },
  changeAccountPackage: {
    requireRecord: (asked) => requireAccount(asked, asked.params.id),
    answer: async ({ deps, services, context, params, body }) =>
      answerSynced(deps, await services.changeAccountPackage(context, { account_id: params.id, ...body })),
  },
  setAccountResources: {
    requireRecord: (asked) => requireAccount(asked, asked.params.id),
    answer: async ({ deps, services, context, params, body }) =>
      answerSynced(deps, await services.setAccountResources(context, { account_id: params.id, ...body })),
  },
  terminateAccount: {
    answer: async ({ services, context, params }) => {
      await services.terminateAccount(context, { account_id: params.id });
      return { message: 'Termination queued' };
    },
  },
} satisfies Partial<Routes>;

/** Only admins see the node's own message. */
async function refusalFor(services: Services, context: OperatorContext, account_id: number): Promise<Error> {
  const failure = await services.findCreateFailure(context, { account_id });
  const reason = context.actor.role !== 'reseller' ? failure?.reason : undefined;
  if (failure?.field === 'username')
    return new NodeRefusedError(
      `The username cannot be used: ${reason ?? 'the hosting server has a user or files of this name already.'}`,
      failure.field,
    );
  return new NodeRefusedError(
    reason ?? 'The hosting server could not create the account. Nothing of it is kept.',
  );
}
