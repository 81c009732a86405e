import { endpoints } from '@innkeeper/contract';
import type { Route } from '../../http/route.ts';

export const deployZip: Route<'deployZip'> = {
  answer: async ({ deps, context, params, upload }) => {
    const app_id = params.id;
    // Before anything of the body is taken.
    await deps.services.requireZipDeploy(context, { app_id });
    await using archive = await deps.uploads.receive(upload, endpoints.deployZip.upload);
    const { view } = await deps.services.deployZip(context, { app_id, archive });
    return { message: 'Archive uploaded, deploy queued', data: { app: view, archive_bytes: archive.bytes } };
  },
};
