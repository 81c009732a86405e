import { findAccountReference } from '@innkeeper/contract';
import { pageEnvelope } from '../http/page-envelope.ts';
import type { Routes } from '../http/route.ts';
import { requireOwner } from './require-account.ts';
import { waitForNode } from './wait-for-node.ts';

export const apps = {
  listAppTemplates: {
    answer: async ({ services, context }) => ({ data: await services.listAppTemplates(context) }),
  },
  listApps: {
    requireRecord: requireOwner,
    answer: async ({ services, context, query }) => pageEnvelope(await services.listApps(context, query)),
  },
  createApp: {
    requireRecord: async ({ services, context }, fields) => {
      const hosting_account_id = findAccountReference(fields);
      if (hosting_account_id !== undefined) await services.requireInstall(context, { hosting_account_id });
    },
    answer: async ({ services, context, body }) => ({ data: (await services.createApp(context, body)).view }),
  },
  getApp: {
    answer: async ({ services, context, params }) => ({
      data: await services.getApp(context, { app_id: params.id }),
    }),
  },
  removeApp: {
    answer: async ({ deps, services, context, params }) => {
      await waitForNode(deps, await services.removeApp(context, { app_id: params.id }));
      return { message: 'App removed' };
    },
  },
  deployZip: {
    requireRecord: ({ services, context, params }) =>
      services.requireZipDeploy(context, { app_id: params.id }),
    uploadAccountId: async ({ services, context, params }) =>
      (await services.requireZipDeploy(context, { app_id: params.id })).account_id,
    answer: async ({ services, context, params, upload: archive }) => {
      const { view } = await services.deployZip(context, { app_id: params.id, archive });
      return {
        message: 'Archive uploaded, deploy queued',
        data: { app: view, archive_bytes: archive.bytes },
      };
    },
  },
  deployGit: {
    answer: async ({ services, context, params }) => ({
      message: 'Git deploy queued',
      data: (await services.deployGit(context, { app_id: params.id })).view,
    }),
  },
} satisfies Partial<Routes>;
