import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import {
  act,
  create,
  dataOf,
  guarded,
  listOfAccount,
  messageOf,
  read,
  remove,
  show,
  written,
} from '../endpoint-kinds.ts';
import { pageOf } from '../pagination.ts';
import * as requests from './requests.ts';
import { app, appListItem, appTemplate } from './responses.ts';

export const appEndpoints = {
  listAppTemplates: {
    ...read,
    path: '/app-templates',
    access: 'apps:read',
    response: dataOf(z.array(appTemplate)),
    errors: guarded,
    summary: 'List the templates for new apps.',
  },
  listApps: {
    ...listOfAccount,
    path: '/apps',
    access: 'apps:read',
    query: requests.listAppsQuery,
    response: pageOf(appListItem),
    summary: 'List the apps of one account or of all accounts that the token can see.',
  },
  createApp: {
    ...create,
    path: '/apps',
    access: 'apps:write',
    body: requests.createAppBody,
    response: dataOf(app),
    summary: 'Install an app from a template.',
  },
  getApp: {
    ...show,
    path: '/apps/{id}',
    access: 'apps:read',
    response: dataOf(app),
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
} as const satisfies Record<string, Endpoint>;
