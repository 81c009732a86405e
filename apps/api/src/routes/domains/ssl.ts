import type { Route } from '../../http/route.ts';

/** Does not wait for the node: issuing a certificate takes time, and `ssl.status` reports the result. */
export const installSsl: Route<'installSsl'> = {
  requireRecord: async ({ deps, context, params }) =>
    deps.services.getDomain(context, { domain_id: params.id }),
  answer: async ({ deps, context, params, body }) => {
    const { view } = await deps.services.installSsl(context, { domain_id: params.id, ...body });
    const isKept = view.ssl.status === 'active';
    return {
      message: isKept
        ? 'The certificate is valid and younger than a day: it stays'
        : 'SSL installation queued',
      data: view,
    };
  },
};
