import type { Endpoint } from '../endpoint.ts';
import {
  act,
  change,
  create,
  dataOf,
  guarded,
  listed,
  messageOf,
  read,
  remove,
  show,
  written,
} from '../endpoint-kinds.ts';
import { loginLinkBody } from '../login-links/requests.ts';
import { loginLink } from '../login-links/responses.ts';
import { pageOf } from '../pagination.ts';
import { recordParams } from '../record-references.ts';
import { bulkUsageQuery } from '../usage/requests.ts';
import { bulkUsage, usageSnapshot } from '../usage/responses.ts';
import * as requests from './requests.ts';
import { account, accountListItem, usernameCheck } from './responses.ts';

export const accountEndpoints = {
  listAccounts: {
    ...read,
    path: '/accounts',
    access: 'accounts:read',
    query: requests.listAccountsQuery,
    response: pageOf(accountListItem),
    errors: listed,
    summary: 'List the accounts that the token can see.',
  },
  checkUsername: {
    ...read,
    path: '/accounts/check-username',
    access: 'accounts:read',
    query: requests.checkUsernameQuery,
    response: dataOf(usernameCheck),
    errors: listed,
    summary: 'Check whether a username is available.',
  },
  getBulkUsage: {
    ...read,
    path: '/accounts/usage/bulk',
    access: 'accounts:read',
    query: bulkUsageQuery,
    response: bulkUsage,
    errors: listed,
    summary: 'Get the usage of up to 100 accounts.',
  },
  createAccount: {
    ...create,
    path: '/accounts',
    access: 'accounts:write',
    body: requests.createAccountBody,
    response: dataOf(account),
    summary: 'Create an account with a package or with custom limits.',
  },
  getAccount: {
    ...read,
    path: '/accounts/{id}',
    access: 'accounts:read',
    params: recordParams,
    query: requests.showAccountQuery,
    response: dataOf(account),
    errors: [...guarded, 404, 422],
    summary: 'Get an account.',
  },
  getUsage: {
    ...show,
    path: '/accounts/{id}/usage',
    access: 'accounts:read',
    response: dataOf(usageSnapshot),
    summary: 'Get the usage of an account.',
  },
  suspendAccount: {
    ...change,
    path: '/accounts/{id}/suspend',
    access: 'accounts:write',
    response: dataOf(account),
    errors: written,
    summary: 'Suspend an account: block its sites and logins.',
  },
  unsuspendAccount: {
    ...change,
    path: '/accounts/{id}/unsuspend',
    access: 'accounts:write',
    response: dataOf(account),
    errors: written,
    summary: 'Unsuspend an account.',
  },
  setAccountPassword: {
    ...change,
    path: '/accounts/{id}/password',
    access: 'accounts:write',
    body: requests.accountPasswordBody,
    response: dataOf(account),
    summary: 'Set the password of the panel login and of the Linux user.',
  },
  changeAccountPackage: {
    ...change,
    path: '/accounts/{id}/package',
    access: 'accounts:write',
    body: requests.accountPackageBody,
    response: dataOf(account),
    summary: 'Move an account to another package and apply all limits of the package.',
  },
  setAccountResources: {
    ...change,
    path: '/accounts/{id}/resources',
    access: 'accounts:write',
    body: requests.accountResourcesBody,
    response: dataOf(account),
    summary: 'Set the limits of an account. The package stays the same.',
  },
  createLoginLink: {
    ...act,
    path: '/accounts/{id}/login-link',
    answerLastsS: 300,
    access: 'accounts:write',
    body: loginLinkBody,
    response: dataOf(loginLink),
    summary: 'Create a link, valid for 5 minutes, that signs the end user in to the panel.',
  },
  terminateAccount: {
    ...remove,
    path: '/accounts/{id}',
    access: 'accounts:write',
    response: messageOf('Termination queued'),
    summary: 'Terminate an account: delete it permanently with all its data.',
  },
} as const satisfies Record<string, Endpoint>;
