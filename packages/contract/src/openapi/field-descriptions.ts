import type { JsonSchema } from './openapi-types.ts';

const unlimited = 'Null: unlimited.';

/** Fields that mean the same wherever they stand, by name. Where a schema describes its field, that stays. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  page: 'From 1; what is no page counts as 1.',
  per_page: 'Rows of a page; 25 unless told otherwise.',
  include: 'Words separated by commas: `apps` adds up to 10 apps, `usage` the usage snapshot.',
  hosting_account_id: 'The account.',
  package_id: 'The package. Null or left out in a new account: limits of its own.',
  disk_limit_mb: 'MB.',
  bandwidth_limit_mb: 'MB a month.',
  cpu_limit_percent: 'Of one CPU.',
  ram_limit_mb: 'MB.',
  io_read_mbps: `MB/s. ${unlimited}`,
  io_write_mbps: `MB/s. ${unlimited}`,
  iops: `Operations a second. ${unlimited}`,
  max_processes: `Processes at once. ${unlimited}`,
  terminal_access: 'Whether the account may have a shell.',
  apps_limit: 'The same as `max_apps`.',
  synced: 'Whether the hosting server has made the newest state true.',
  linux_user: 'The name on the hosting server.',
  primary_domain: 'Null: the account has no domain.',
  node: 'The hosting server; shown to admins.',
  measured_at: 'When the hosting server measured it. Null: never yet.',
  missing_ids: 'Ids that were asked for, and that the token does not see.',
  is_primary: 'An account has one primary domain; its first, unless another one is made it.',
  allow_overlap:
    'Lets an admin take a name of the provider’s own, or one below or above it or another account’s domain.',
  ssl: 'The certificate.',
  issuer: 'Of the certificate.',
  status_reason: 'Why, where the status does not say it. Null: nothing to say.',
  allowed_ips: 'Addresses from which the database may be used, beside its own server. Null: none.',
  db_host: 'Where the account’s own programs find it.',
  schedule: 'A cron expression of five fields, or a name like `@hourly`.',
  command:
    'One line; `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders are refused.',
  template_key: 'One of `GET /app-templates`.',
  node_version: 'Of templates that run on Node.js.',
  start_command: 'Of templates that run on Node.js.',
  env: 'Environment variables, by name.',
  env_vars: 'Environment variables; the value of a secret is null.',
  requires_domain: 'Whether an app needs a domain.',
  git: 'Where the app is deployed from.',
  deploy_key: 'A private key that may read the repository; it is not shown again.',
  release: 'What was deployed last. Null: what the template made.',
  last_error: 'The end of the log of what failed last.',
  archive_bytes: 'Size of the archive.',
  expires_in: 'Seconds.',
  login_url: 'To be opened by the end user’s browser.',
  request_id: 'Names the request in the log.',
  errors: 'Sentences about each refused field, by its name.',
};

/** The schema with a description for every field that `fieldDescriptions` knows, however deep it stands. */
export function withDescriptions(schema: JsonSchema): JsonSchema {
  return describeWithin(schema) as JsonSchema;
}

function describeWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeWithin);
  if (typeof value !== 'object' || value === null) return value;
  const described = Object.entries(value).map(([keyword, inner]) => [
    keyword,
    keyword === 'properties' ? describeFields(inner as Record<string, object>) : describeWithin(inner),
  ]);
  return Object.fromEntries(described);
}

function describeFields(properties: Record<string, object>): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const description = fieldDescriptions[name];
    const inner = describeWithin(schema) as object;
    return [name, description === undefined ? inner : { description, ...inner }];
  });
  return Object.fromEntries(fields);
}
