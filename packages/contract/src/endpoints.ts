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
import { hostingPackage } from './packages/responses.ts';
import { pageOf } from './pagination.ts';
import { recordParams } from './record-params.ts';
import { loginLinkBody, loginLinkParams, loginLinkQuery } from './sign-in/requests.ts';
import { loginLink } from './sign-in/responses.ts';
import { health, me, readiness } from './system/responses.ts';
import { bulkUsageQuery } from './usage/requests.ts';
import { bulkUsage, usageSnapshot } from './usage/responses.ts';

const dataOf = <T extends z.ZodType>(schema: T) => z.strictObject({ data: schema });
const messageOf = (message: string) => z.strictObject({ message: z.literal(message) });

const guarded = [401, 403, 429, 500, 503] as const satisfies readonly ErrorStatus[];
const listed = [...guarded, 422] as const;
const ofRecord = [...guarded, 404] as const;
/** Any write can meet its Idempotency-Key in flight (409) or with another request (422). */
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

/** API v1. Routes, the tests of every guard, and the OpenAPI document are made from this table. */
export const endpoints = {
  health: {
    ...read,
    path: '/health',
    access: 'public',
    limit: 'health',
    response: health,
    errors: [429, 500],
    summary: 'Whether the service runs.',
  },
  ready: {
    ...read,
    path: '/ready',
    access: 'token',
    response: readiness,
    alsoAnswers: [503],
    errors: guarded,
    summary: 'Whether database and queue can be reached, and how many hosting servers are online.',
  },
  me: {
    ...read,
    path: '/auth/me',
    access: 'token',
    response: me,
    errors: guarded,
    summary: 'Whom the token acts as, and what it may do.',
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
    summary: 'Signs the bearer of a login link in to the panel and leads to its page.',
  },

  listPackages: {
    ...read,
    path: '/packages',
    access: 'packages:read',
    response: dataOf(z.array(hostingPackage)),
    errors: guarded,
    summary: 'The packages that accounts can be created with.',
  },
  getPackage: {
    ...read,
    path: '/packages/{id}',
    access: 'packages:read',
    params: recordParams,
    response: dataOf(hostingPackage),
    errors: ofRecord,
    summary: 'One package.',
  },

  listAccounts: {
    ...read,
    path: '/accounts',
    access: 'accounts:read',
    query: accounts.listAccountsQuery,
    response: pageOf(accountListItem),
    errors: listed,
    summary: 'The accounts that the token sees.',
  },
  checkUsername: {
    ...read,
    path: '/accounts/check-username',
    access: 'accounts:read',
    query: accounts.checkUsernameQuery,
    response: dataOf(usernameCheck),
    errors: listed,
    summary: 'Whether a username is free.',
  },
  getBulkUsage: {
    ...read,
    path: '/accounts/usage/bulk',
    access: 'accounts:read',
    query: bulkUsageQuery,
    response: bulkUsage,
    errors: listed,
    summary: 'What up to 100 accounts use.',
  },
  createAccount: {
    ...create,
    path: '/accounts',
    access: 'accounts:write',
    body: accounts.createAccountBody,
    response: dataOf(account),
    summary: 'Creates an account, with a package or with limits of its own.',
  },
  getAccount: {
    ...read,
    path: '/accounts/{id}',
    access: 'accounts:read',
    params: recordParams,
    query: accounts.showAccountQuery,
    response: dataOf(account),
    errors: [...ofRecord, 422],
    summary: 'One account.',
  },
  getUsage: {
    ...read,
    path: '/accounts/{id}/usage',
    access: 'accounts:read',
    params: recordParams,
    response: dataOf(usageSnapshot),
    errors: ofRecord,
    summary: 'What an account uses of its limits.',
  },
  suspendAccount: {
    ...change,
    path: '/accounts/{id}/suspend',
    access: 'accounts:write',
    response: dataOf(account),
    errors: written,
    summary: 'Takes sites and logins of an account down.',
  },
  unsuspendAccount: {
    ...change,
    path: '/accounts/{id}/unsuspend',
    access: 'accounts:write',
    response: dataOf(account),
    errors: written,
    summary: 'Brings a suspended account back.',
  },
  setAccountPassword: {
    ...change,
    path: '/accounts/{id}/password',
    access: 'accounts:write',
    body: accounts.accountPasswordBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Sets the password of the panel login and of the Linux user.',
  },
  changeAccountPackage: {
    ...change,
    path: '/accounts/{id}/package',
    access: 'accounts:write',
    body: accounts.accountPackageBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Moves an account to another package and takes all its limits.',
  },
  setAccountResources: {
    ...change,
    path: '/accounts/{id}/resources',
    access: 'accounts:write',
    body: accounts.accountResourcesBody,
    response: dataOf(account),
    errors: withBody,
    summary: 'Sets the limits of an account; its package stays.',
  },
  createLoginLink: {
    ...act,
    path: '/accounts/{id}/login-link',
    answerLastsS: 300,
    access: 'accounts:write',
    body: loginLinkBody,
    response: dataOf(loginLink),
    errors: withBody,
    summary: 'A link that signs the account’s end user in to the panel, for five minutes.',
  },
  terminateAccount: {
    ...remove,
    path: '/accounts/{id}',
    access: 'accounts:write',
    response: messageOf('Termination queued'),
    summary: 'Removes an account with all that belongs to it, for good.',
  },

  listDomains: {
    ...read,
    path: '/domains',
    access: 'domains:read',
    query: domains.listDomainsQuery,
    response: pageOf(domain),
    errors: [...ofRecord, 422],
    summary: 'The domains that the token sees, of one account or of all.',
  },
  createDomain: {
    ...create,
    path: '/domains',
    access: 'domains:write',
    body: domains.createDomainBody,
    response: dataOf(domainWithAccount),
    summary: 'Adds a domain to an account and serves it.',
  },
  getDomain: {
    ...read,
    path: '/domains/{id}',
    access: 'domains:read',
    params: recordParams,
    response: dataOf(domainWithAccount),
    errors: ofRecord,
    summary: 'One domain.',
  },
  installSsl: {
    ...act,
    path: '/domains/{id}/ssl',
    access: 'domains:write',
    body: domains.installSslBody,
    response: z.strictObject({ message: z.string(), data: domainWithAccount }),
    errors: withBody,
    summary: 'Has a certificate issued for a domain, and renewed from then on.',
  },
  removeDomain: {
    ...remove,
    path: '/domains/{id}',
    access: 'domains:write',
    response: messageOf('Domain removal queued'),
    summary: 'Stops serving a domain and removes it.',
  },

  listAppTemplates: {
    ...read,
    path: '/app-templates',
    access: 'apps:read',
    response: dataOf(z.array(appTemplate)),
    errors: guarded,
    summary: 'What apps can be installed from.',
  },
  listApps: {
    ...read,
    path: '/apps',
    access: 'apps:read',
    query: apps.listAppsQuery,
    response: pageOf(appListItem),
    errors: [...ofRecord, 422],
    summary: 'The apps that the token sees, of one account or of all.',
  },
  createApp: {
    ...create,
    path: '/apps',
    access: 'apps:write',
    body: apps.createAppBody,
    response: dataOf(app),
    summary: 'Installs an app from a template.',
  },
  getApp: {
    ...read,
    path: '/apps/{id}',
    access: 'apps:read',
    params: recordParams,
    response: dataOf(app),
    errors: ofRecord,
    summary: 'One app, with its environment; secrets are not shown.',
  },
  removeApp: {
    ...remove,
    path: '/apps/{id}',
    access: 'apps:write',
    response: messageOf('App removed'),
    summary: 'Stops an app and removes it with its files.',
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
    summary: 'Replaces the files of an app with those of a ZIP archive.',
  },
  deployGit: {
    ...act,
    path: '/apps/{id}/deploy-git',
    access: 'apps:write',
    response: z.strictObject({ message: z.string(), data: app }),
    errors: written,
    summary: 'Pulls and builds an app from its Git repository.',
  },

  listDatabases: {
    ...read,
    path: '/databases',
    access: 'databases:read',
    query: databases.listDatabasesQuery,
    response: pageOf(database),
    errors: [...ofRecord, 422],
    summary: 'The databases that the token sees, of one account or of all.',
  },
  createDatabase: {
    ...create,
    path: '/databases',
    access: 'databases:write',
    body: databases.createDatabaseBody,
    response: dataOf(databaseWithAccount),
    summary: 'Creates a database with a user of its own.',
  },
  getDatabase: {
    ...read,
    path: '/databases/{id}',
    access: 'databases:read',
    params: recordParams,
    response: dataOf(databaseWithAccount),
    errors: ofRecord,
    summary: 'One database.',
  },
  resetDatabasePassword: {
    ...change,
    path: '/databases/{id}/password',
    access: 'databases:write',
    response: dataOf(databaseWithAccount),
    errors: written,
    summary: 'Gives a database a new password, which only the panel shows.',
  },
  allowDatabaseIp: {
    ...act,
    path: '/databases/{id}/allowed-ips',
    access: 'databases:write',
    body: databases.allowedIpBody,
    response: dataOf(databaseWithAccount),
    errors: withBody,
    summary: 'Lets an address use a database from elsewhere.',
  },
  revokeDatabaseIp: {
    ...remove,
    path: '/databases/{id}/allowed-ips/{ip}',
    access: 'databases:write',
    params: databases.allowedIpParams,
    response: dataOf(databaseWithAccount),
    summary: 'Takes the permission of an address away.',
  },
  removeDatabase: {
    ...remove,
    path: '/databases/{id}',
    access: 'databases:write',
    response: messageOf('Database removal queued'),
    summary: 'Drops a database and its user.',
  },

  listCronJobs: {
    ...read,
    path: '/cron-jobs',
    access: 'cron:read',
    query: cronJobs.listCronJobsQuery,
    response: pageOf(cronJob),
    errors: [...ofRecord, 422],
    summary: 'The cron jobs that the token sees, of one account or of all.',
  },
  createCronJob: {
    ...create,
    path: '/cron-jobs',
    access: 'cron:write',
    body: cronJobs.createCronJobBody,
    response: dataOf(cronJobWithAccount),
    summary: 'Adds a cron job to an account.',
  },
  getCronJob: {
    ...read,
    path: '/cron-jobs/{id}',
    access: 'cron:read',
    params: recordParams,
    response: dataOf(cronJobWithAccount),
    errors: ofRecord,
    summary: 'One cron job.',
  },
  updateCronJob: {
    ...change,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    body: cronJobs.updateCronJobBody,
    response: dataOf(cronJobWithAccount),
    errors: withBody,
    summary: 'Changes a cron job.',
  },
  removeCronJob: {
    ...remove,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    response: messageOf('Cron job removed'),
    summary: 'Removes a cron job.',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
