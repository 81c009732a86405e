import { accountStates } from '@innkeeper/domain';
import { z } from 'zod';
import { appSummary } from '../apps/responses.ts';
import { accountLimitValues } from '../limit-values.ts';
import { timestamp, type ViewOf } from '../timestamp.ts';
import { usageSnapshot } from '../usage/responses.ts';

const id = z.int().min(1);
const size = z.int().min(0);
const status = z.enum(accountStates);
const nodeReference = z.strictObject({ id, name: z.string() });

export const accountListItem = z.strictObject({
  id,
  username: z.string(),
  email: z.string(),
  status,
  package: z.strictObject({ id, name: z.string() }),
  primary_domain: z.string().nullable(),
  created_at: timestamp,
  /** Only for admins. */
  node: nodeReference.optional(),
});

export const account = z.strictObject({
  id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  status,
  package: z.strictObject({ id, name: z.string(), disk_mb: size }),
  package_id: id,
  linux_user: z.string(),
  home_path: z.string(),
  ...accountLimitValues,
  terminal_access: z.boolean(),
  domains: z.array(z.strictObject({ id, domain_name: z.string(), is_primary: z.boolean() })),
  apps_count: size,
  apps_limit: size,
  /** Whether the node has applied the newest generation. */
  synced: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
  /** Only for admins. */
  node: nodeReference.optional(),
  /** Only with `include=apps`: at most 10. */
  apps: z.array(appSummary).max(10).optional(),
  /** Only with `include=usage`. */
  usage: usageSnapshot.optional(),
});

export const usernameCheck = z.strictObject({ username: z.string(), available: z.boolean() });

export type AccountListItem = ViewOf<typeof accountListItem>;
export type AccountView = ViewOf<typeof account>;
