import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { act, create, dataOf, listOfAccount, messageOf, remove, show } from '../endpoint-kinds.ts';
import { pageOf } from '../pagination.ts';
import * as requests from './requests.ts';
import { domain, domainWithAccount } from './responses.ts';

export const domainEndpoints = {
  listDomains: {
    ...listOfAccount,
    path: '/domains',
    access: 'domains:read',
    query: requests.listDomainsQuery,
    response: pageOf(domain),
    summary: 'List the domains of one account or of all accounts that the token can see.',
  },
  createDomain: {
    ...create,
    path: '/domains',
    access: 'domains:write',
    body: requests.createDomainBody,
    response: dataOf(domainWithAccount),
    summary: 'Add a domain to an account and serve its site.',
  },
  getDomain: {
    ...show,
    path: '/domains/{id}',
    access: 'domains:read',
    response: dataOf(domainWithAccount),
    summary: 'Get a domain.',
  },
  installSsl: {
    ...act,
    path: '/domains/{id}/ssl',
    access: 'domains:write',
    body: requests.installSslBody,
    response: z.strictObject({ message: z.string(), data: domainWithAccount }),
    summary: 'Request a certificate for a domain. It then renews automatically.',
  },
  removeDomain: {
    ...remove,
    path: '/domains/{id}',
    access: 'domains:write',
    response: messageOf('Domain removal queued'),
    summary: 'Remove a domain and stop serving its site.',
  },
} as const satisfies Record<string, Endpoint>;
