import type { Route } from '../../http/route.ts';

export const deployZip: Route<'deployZip'> = {
  requireRecord: ({ deps, context, params }) =>
    deps.services.requireZipDeploy(context, { app_id: params.id }),
  uploadAccountId: async ({ deps, context, params }) =>
    (await deps.services.requireZipDeploy(context, { app_id: params.id })).account_id,
  answer: async ({ deps, context, params, upload: archive }) => {
    const { view } = await deps.services.deployZip(context, { app_id: params.id, archive });
    return { message: 'Archive uploaded, deploy queued', data: { app: view, archive_bytes: archive.bytes } };
  },
};
