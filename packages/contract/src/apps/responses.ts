import { appStatuses } from '@innkeeper/domain';
import { z } from 'zod';
import { timestamp, type ViewOf } from '../timestamp.ts';

const id = z.int().min(1);

export const appTemplate = z.strictObject({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  requires_domain: z.boolean(),
  env_schema: z.array(
    z.strictObject({
      name: z.string(),
      label: z.string(),
      description: z.string(),
      required: z.boolean(),
      secret: z.boolean(),
      default: z.string().nullable(),
    }),
  ),
  /** Only for templates that run on Node.js. */
  node_versions: z.array(z.string()).optional(),
});

export const appSummary = z.strictObject({
  id,
  name: z.string(),
  template_key: z.string(),
  template_name: z.string(),
  /** Status from the last report of the node. `removing` until it is gone. */
  status: z.enum(appStatuses),
});

export const appListItem = appSummary.extend({
  hosting_account_id: id,
  status_reason: z.string().nullable(),
  /** Omitted if the app has no domain. */
  domain: z.strictObject({ id, domain_name: z.string() }).optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const app = appListItem.extend({
  node_version: z.string().nullable(),
  start_command: z.string().nullable(),
  /** Folder that a deploy replaces. */
  deploy_root: z.string(),
  /** The last deployment. Null: the app has the first content of its template. */
  release: z.strictObject({ id, source: z.enum(['zip', 'git']), created_at: timestamp }).nullable(),
  last_error: z.string().nullable(),
  git: z.strictObject({ repository: z.string(), branch: z.string() }).nullable(),
  /** The value of a secret is null. */
  env_vars: z.array(
    z.strictObject({ id, key: z.string(), value: z.string().nullable(), is_secret: z.boolean() }),
  ),
});

export type AppTemplateView = ViewOf<typeof appTemplate>;
export type AppSummary = ViewOf<typeof appSummary>;
export type AppListItem = ViewOf<typeof appListItem>;
export type AppView = ViewOf<typeof app>;
