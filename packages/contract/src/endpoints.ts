import { z } from 'zod';
import * as accounts from './accounts/requests.ts';
import { account, accountListItem, usernameCheck } from './accounts/responses.ts';
import * as domains from './domains/requests.ts';
import { domain, domainWithAccount } from './domains/responses.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorStatus } from './error-bodies.ts';
import { hostingPackage } from './packages/responses.ts';
import { pageOf } from './pagination.ts';
import { recordParams } from './record-params.ts';
import { health, me, readiness } from './system/responses.ts';

const dataOf = <T extends z.ZodType>(schema: T) => z.strictObject({ data: schema });
const messageOf = (message: string) => z.strictObject({ message: z.literal(message) });

const guarded = [401, 403, 500, 503] as const satisfies readonly ErrorStatus[];
const ofRecord = [...guarded, 404] as const;
const ofBody = [...guarded, 413, 422] as const;
const ofRecordAndBody = [...ofBody, 404] as const;

const accountRecord = { params: recordParams, response: dataOf(account), status: 200 } as const;

/** API v1. Routes, the tests of every guard, and the OpenAPI document are made from this table. */
export const endpoints = {
  health: {
    method: 'GET',
    path: '/health',
    access: 'public',
    status: 200,
    response: health,
    errors: [500],
    summary: 'Whether the service runs.',
  },
  ready: {
    method: 'GET',
    path: '/ready',
    access: 'token',
    status: 200,
    response: readiness,
    alsoAnswers: [503],
    errors: guarded,
    summary: 'Whether database and queue can be reached, and how many hosting servers are online.',
  },
  me: {
    method: 'GET',
    path: '/auth/me',
    access: 'token',
    status: 200,
    response: me,
    errors: guarded,
    summary: 'Whom the token acts as, and what it may do.',
  },

  listPackages: {
    method: 'GET',
    path: '/packages',
    access: 'packages:read',
    status: 200,
    response: dataOf(z.array(hostingPackage)),
    errors: guarded,
    summary: 'The packages that accounts can be created with.',
  },
  getPackage: {
    method: 'GET',
    path: '/packages/{id}',
    access: 'packages:read',
    params: recordParams,
    status: 200,
    response: dataOf(hostingPackage),
    errors: ofRecord,
    summary: 'One package.',
  },

  listAccounts: {
    method: 'GET',
    path: '/accounts',
    access: 'accounts:read',
    query: accounts.listAccountsQuery,
    status: 200,
    response: pageOf(accountListItem),
    errors: [...guarded, 422],
    summary: 'The accounts that the token sees.',
  },
  checkUsername: {
    method: 'GET',
    path: '/accounts/check-username',
    access: 'accounts:read',
    query: accounts.checkUsernameQuery,
    status: 200,
    response: dataOf(usernameCheck),
    errors: [...guarded, 422],
    summary: 'Whether a username is free.',
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    access: 'accounts:write',
    body: accounts.createAccountBody,
    status: 201,
    response: dataOf(account),
    errors: ofBody,
    summary: 'Creates an account, with a package or with limits of its own.',
  },
  getAccount: {
    ...accountRecord,
    method: 'GET',
    path: '/accounts/{id}',
    access: 'accounts:read',
    query: accounts.showAccountQuery,
    errors: [...ofRecord, 422],
    summary: 'One account.',
  },
  suspendAccount: {
    ...accountRecord,
    method: 'PATCH',
    path: '/accounts/{id}/suspend',
    access: 'accounts:write',
    errors: [...ofRecord, 422],
    summary: 'Takes sites and logins of an account down.',
  },
  unsuspendAccount: {
    ...accountRecord,
    method: 'PATCH',
    path: '/accounts/{id}/unsuspend',
    access: 'accounts:write',
    errors: [...ofRecord, 422],
    summary: 'Brings a suspended account back.',
  },
  setAccountPassword: {
    ...accountRecord,
    method: 'PATCH',
    path: '/accounts/{id}/password',
    access: 'accounts:write',
    body: accounts.accountPasswordBody,
    errors: ofRecordAndBody,
    summary: 'Sets the password of the panel login and of the Linux user.',
  },
  changeAccountPackage: {
    ...accountRecord,
    method: 'PATCH',
    path: '/accounts/{id}/package',
    access: 'accounts:write',
    body: accounts.accountPackageBody,
    errors: ofRecordAndBody,
    summary: 'Moves an account to another package and takes all its limits.',
  },
  setAccountResources: {
    ...accountRecord,
    method: 'PATCH',
    path: '/accounts/{id}/resources',
    access: 'accounts:write',
    body: accounts.accountResourcesBody,
    errors: ofRecordAndBody,
    summary: 'Sets the limits of an account; its package stays.',
  },
  terminateAccount: {
    method: 'DELETE',
    path: '/accounts/{id}',
    access: 'accounts:write',
    params: recordParams,
    status: 200,
    response: messageOf('Termination queued'),
    errors: ofRecord,
    summary: 'Removes an account with all that belongs to it, for good.',
  },

  listDomains: {
    method: 'GET',
    path: '/domains',
    access: 'domains:read',
    query: domains.listDomainsQuery,
    status: 200,
    response: pageOf(domain),
    errors: [...ofRecord, 422],
    summary: 'The domains that the token sees, of one account or of all.',
  },
  createDomain: {
    method: 'POST',
    path: '/domains',
    access: 'domains:write',
    body: domains.createDomainBody,
    status: 201,
    response: dataOf(domainWithAccount),
    errors: ofRecordAndBody,
    summary: 'Adds a domain to an account and serves it.',
  },
  getDomain: {
    method: 'GET',
    path: '/domains/{id}',
    access: 'domains:read',
    params: recordParams,
    status: 200,
    response: dataOf(domainWithAccount),
    errors: ofRecord,
    summary: 'One domain.',
  },
  removeDomain: {
    method: 'DELETE',
    path: '/domains/{id}',
    access: 'domains:write',
    params: recordParams,
    status: 200,
    response: messageOf('Domain removal queued'),
    errors: [...ofRecord, 422],
    summary: 'Stops serving a domain and removes it.',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
