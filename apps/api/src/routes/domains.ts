import { pageEnvelope } from '../http/page-envelope.ts';
import type { Routes } from '../http/route.ts';
import { requireOwner } from './require-account.ts';
import { waitForNode } from './wait-for-node.ts';

export const domains = {
  listDomains: {
    requireRecord: requireOwner,
    answer: async ({ services, context, query }) => pageEnvelope(await services.listDomains(context, query)),
  },
  createDomain: {
    requireRecord: requireOwner,
    answer: async ({ deps, services, context, body }) => {
      const written = await services.createDomain(context, body);
      await waitForNode(deps, written);
      return { data: await services.getDomain(context, { domain_id: written.view.id }) };
    },
  },
  getDomain: {
    answer: async ({ services, context, params }) => ({
      data: await services.getDomain(context, { domain_id: params.id }),
    }),
  },
  /**
   * Does not wait for the node: issuing a certificate takes time, and `ssl.status` reports the result. The contact address
   * in the body is checked and not used: authorities no longer write to contacts.
   */
  installSsl: {
    requireRecord: ({ services, context, params }) => services.getDomain(context, { domain_id: params.id }),
    answer: async ({ services, context, params }) => {
      const { view } = await services.installSsl(context, { domain_id: params.id });
      const isKept = view.ssl.status === 'active';
      return {
        message: isKept
          ? 'The certificate is valid and younger than a day: it stays'
          : 'SSL installation queued',
        data: view,
      };
    },
  },
  removeDomain: {
    answer: async ({ services, context, params }) => {
      await services.removeDomain(context, { domain_id: params.id });
      return { message: 'Domain removal queued' };
    },
  },
} satisfies Partial<Routes>;
