import { z } from 'zod';
import * as accounts from './accounts/requests.ts';
import { account, accountListItem, usernameCheck } from './accounts/responses.ts';
import * as apps from './apps/requests.ts';
import { app, appListItem, appTemplate } from './apps/responses.ts';
import * as cronJobs from './cron-jobs/requests.ts';
import { cronJob, cronJobWithAccount } from './cron-jobs/responses.ts';
import * as databases from './databases/requests.ts';
import { database, databaseWithAccount } from './databases/responses.ts';
import * as domains from './domains/requests.ts';
import { domain, domainWithAccount } from './domains/responses.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorStatus } from './error-bodies.ts';
import { loginLinkBody, loginLinkParams, loginLinkQuery } from './login-links/requests.ts';
import { loginLink } from './login-links/responses.ts';
import { hostingPackage } from './packages/responses.ts';
import { pageOf } from './pagination.ts';
import { recordParams } from './record-references.ts';
import { health, me, readiness } from './system/responses.ts';
import { bulkUsageQuery } from './usage/requests.ts';
import { bulkUsage, usageSnapshot } from './usage/responses.ts';

const dataOf = <T extends z.ZodType>(schema: T) => z.strictObject({ data: schema });
const messageOf = (message: string) => z.strictObject({ message: z.literal(message) });

const guarded = [401, 403, 429, 500, 503] as const satisfies readonly ErrorStatus[];
const listed = [...guarded, 422] as const;
const ofRecord = [...guarded, 404] as const;
/** Any write can find its Idempotency-Key in progress (409) or used by a different request (422). */
const written = [...guarded, 404, 409, 422] as const;
const withBody = [...written, 413] as const;

const read = { method: 'GET', limit: 'user', status: 200 } as const;
const create = { method: 'POST', limit: 'user', status: 201, errors: withBody } as const;
const act = { method: 'POST', limit: 'user', status: 200, params: recordParams } as const;
const change = { method: 'PATCH', limit: 'user', status: 200, params: recordParams } as const;
const remove = {
  method: 'DELETE',
  limit: 'user',
  status: 200,
  params: recordParams,
  errors: written,
} as const;

/** API v1. The routes, the tests of every guard and the OpenAPI document are built from this table. */
export const endpoints = {
  health: {
    ...read,
    path: '/health',
    access: 'public',
    limit: 'health',
    response: health,
    errors: [429, 500],
    summary: 'Check that the service runs.',
  },
  ready: {
    ...read,
    path: '/ready',
    access: 'token',
    response: readiness,
    alsoAnswers: [503],
    errors: guarded,
    summary: 'Check the database and the queue, and count the online hosting servers.',
  },
  me: {
    ...read,
    path: '/auth/me',
    access: 'token',
    response: me,
    errors: guarded,
    summary: 'Show the user and the abilities of the token.',
  },
  followLoginLink: {
    ...read,
    path: '/sso/login/{id}',
    access: 'signed',
    limit: 'sso',
    params: loginLinkParams,
    query: loginLinkQuery,
    status: 302,
    response: null,
    errors: [403, 429, 500, 503],
    summary: 'Sign in to the panel with a login link and redirect to its page.',
  },

  listPackages: {
    ...read,
    path: '/packages',
    access: 'packages:read',
    response: dataOf(z.array(hostingPackage)),
    errors: guarded,
    summary: 'List the packages for new accounts.',
  },
  getPackage: {
    ...read,
    path: '/packages/{id}',
    access: 'packages:read',
    params: recordParams,
    response: dataOf(hostingPackage),
    errors: ofRecord,
    summary: 'Get a package.',
  },

  listAccounts: {
    ...read,
    path: '/accounts',
    access: 'accounts:read',
    query: accounts.listAccountsQuery,
    response: pageOf(accountListItem),
    errors: listed,
    summary: 'List the accounts that the token can see.',
  },
  checkUsername: {
    ...read,
    path: '/accounts/check-username',
    access: 'accounts:read',
    query: accounts.checkUsernameQuery,
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
    body: accounts.createAccountBody,
    response: dataOf(account),
    summary: 'Create an account with a package or with custom limits.',
  },
  getAccount: {
    ...read,
    path: '/accounts/{id}',
    access: 'accounts:read',
    params: recordParams,
    query: accounts.showAccountQuery,
    response: dataOf(account),
    errors: [...ofRecord, 422],
    summary: 'Get an account.',
  },
  getUsage: {
    ...read,
    path: '/accounts/{id}/usage',
    access: 'accounts:read',
    params: recordParams,
    response: dataOf(usageSnapshot),
    errors: ofRecord,
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
    body: accounts.accountPasswordBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Set the password of the panel login and of the Linux user.',
  },
  changeAccountPackage: {
    ...change,
    path: '/accounts/{id}/package',
    access: 'accounts:write',
    body: accounts.accountPackageBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Move an account to another package and apply all limits of the package.',
  },
  setAccountResources: {
    ...change,
    path: '/accounts/{id}/resources',
    access: 'accounts:write',
    body: accounts.accountResourcesBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Set the limits of an account. The package stays the same.',
  },
  createLoginLink: {
    ...act,
    path: '/accounts/{id}/login-link',
    answerLastsS: 300,
    access: 'accounts:write',
    body: loginLinkBody,
    response: dataOf(loginLink),
    errors: withBody,
    summary: 'Create a link, valid for 5 minutes, that signs the end user in to the panel.',
  },
  terminateAccount: {
    ...remove,
    path: '/accounts/{id}',
    access: 'accounts:write',
    response: messageOf('Termination queued'),
    summary: 'Terminate an account: delete it permanently with all its data.',
  },

  listDomains: {
    ...read,
    path: '/domains',
    access: 'domains:read',
    query: domains.listDomainsQuery,
    response: pageOf(domain),
    errors: [...ofRecord, 422],
    summary: 'List the domains of one account or of all accounts that the token can see.',
  },
  createDomain: {
    ...create,
    path: '/domains',
    access: 'domains:write',
    body: domains.createDomainBody,
    response: dataOf(domainWithAccount),
    summary: 'Add a domain to an account and serve its site.',
  },
  getDomain: {
    ...read,
    path: '/domains/{id}',
    access: 'domains:read',
    params: recordParams,
    response: dataOf(domainWithAccount),
    errors: ofRecord,
    summary: 'Get a domain.',
  },
  installSsl: {
    ...act,
    path: '/domains/{id}/ssl',
    access: 'domains:write',
    body: domains.installSslBody,
    response: z.strictObject({ message: z.string(), data: domainWithAccount }),
    errors: withBody,
    summary: 'Request a certificate for a domain. It then renews automatically.',
  },
  removeDomain: {
    ...remove,
    path: '/domains/{id}',
    access: 'domains:write',
    response: messageOf('Domain removal queued'),
    summary: 'Remove a domain and stop serving its site.',
  },

  listAppTemplates: {
    ...read,
    path: '/app-templates',
    access: 'apps:read',
    response: dataOf(z.array(appTemplate)),
    errors: guarded,
    summary: 'List the templates for new apps.',
  },
  listApps: {
    ...read,
    path: '/apps',
    access: 'apps:read',
    query: apps.listAppsQuery,
    response: pageOf(appListItem),
    errors: [...ofRecord, 422],
    summary: 'List the apps of one account or of all accounts that the token can see.',
  },
  createApp: {
    ...create,
    path: '/apps',
    access: 'apps:write',
    body: apps.createAppBody,
    response: dataOf(app),
    summary: 'Install an app from a template.',
  },
  getApp: {
    ...read,
    path: '/apps/{id}',
    access: 'apps:read',
    params: recordParams,
    response: dataOf(app),
    errors: ofRecord,
    summary: 'Get an app with its environment variables. Secret values are hidden.',
  },
  removeApp: {
    ...remove,
    path: '/apps/{id}',
    access: 'apps:write',
    response: messageOf('App removed'),
    summary: 'Stop an app and delete it with its files.',
  },
  deployZip: {
    ...act,
    path: '/apps/{id}/deploy-zip',
    access: 'apps:write',
    upload: 'archive',
    response: z.strictObject({
      message: z.string(),
      data: z.strictObject({ app, archive_bytes: z.int().min(1) }),
    }),
    errors: withBody,
    summary: 'Deploy a ZIP archive: replace the files of an app.',
  },
  deployGit: {
    ...act,
    path: '/apps/{id}/deploy-git',
    access: 'apps:write',
    response: z.strictObject({ message: z.string(), data: app }),
    errors: written,
    summary: 'Deploy an app from its Git repository: pull and build.',
  },

  listDatabases: {
    ...read,
    path: '/databases',
    access: 'databases:read',
    query: databases.listDatabasesQuery,
    response: pageOf(database),
    errors: [...ofRecord, 422],
    summary: 'List the databases of one account or of all accounts that the token can see.',
  },
  createDatabase: {
    ...create,
    path: '/databases',
    access: 'databases:write',
    body: databases.createDatabaseBody,
    response: dataOf(databaseWithAccount),
    summary: 'Create a database with its own database user.',
  },
  getDatabase: {
    ...read,
    path: '/databases/{id}',
    access: 'databases:read',
    params: recordParams,
    response: dataOf(databaseWithAccount),
    errors: ofRecord,
    summary: 'Get a database.',
  },
  resetDatabasePassword: {
    ...change,
    path: '/databases/{id}/password',
    access: 'databases:write',
    response: dataOf(databaseWithAccount),
    errors: written,
    summary: 'Reset the password of a database. Only the panel shows the new password.',
  },
  allowDatabaseIp: {
    ...act,
    path: '/databases/{id}/allowed-ips',
    access: 'databases:write',
    body: databases.allowedIpBody,
    response: dataOf(databaseWithAccount),
    errors: withBody,
    summary: 'Allow an IP address to connect to a database remotely.',
  },
  revokeDatabaseIp: {
    ...remove,
    path: '/databases/{id}/allowed-ips/{ip}',
    access: 'databases:write',
    params: databases.allowedIpParams,
    response: dataOf(databaseWithAccount),
    summary: 'Revoke the remote access of an IP address to a database.',
  },
  removeDatabase: {
    ...remove,
    path: '/databases/{id}',
    access: 'databases:write',
    response: messageOf('Database removal queued'),
    summary: 'Drop a database and its user.',
  },

  listCronJobs: {
    ...read,
    path: '/cron-jobs',
    access: 'cron:read',
    query: cronJobs.listCronJobsQuery,
    response: pageOf(cronJob),
    errors: [...ofRecord, 422],
    summary: 'List the cron jobs of one account or of all accounts that the token can see.',
  },
  createCronJob: {
    ...create,
    path: '/cron-jobs',
    access: 'cron:write',
    body: cronJobs.createCronJobBody,
    response: dataOf(cronJobWithAccount),
    summary: 'Add a cron job to an account.',
  },
  getCronJob: {
    ...read,
    path: '/cron-jobs/{id}',
    access: 'cron:read',
    params: recordParams,
    response: dataOf(cronJobWithAccount),
    errors: ofRecord,
    summary: 'Get a cron job.',
  },
  updateCronJob: {
    ...change,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    body: cronJobs.updateCronJobBody,
    response: dataOf(cronJobWithAccount),
    errors: withBody,
    summary: 'Update a cron job.',
  },
  removeCronJob: {
    ...remove,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    response: messageOf('Cron job removed'),
    summary: 'Remove a cron job.',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
