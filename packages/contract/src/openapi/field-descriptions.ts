import { nodeLimits, withinSentence } from '@innkeeper/domain';
import type { JsonSchema } from './openapi-types.ts';

/** Descriptions of fields that mean the same in every schema, by name. A schema's own description takes precedence. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  page: 'Page number, starting at 1. Invalid values are treated as 1.',
  per_page: 'Rows per page. Default: 25.',
  include: 'Comma-separated list: `apps` adds up to 10 apps, `usage` adds the usage snapshot.',
  hosting_account_id: 'ID of the account.',
  package_id: 'ID of the package. When you create an account: null or omitted means custom limits.',
  ...limitDescriptions(),
  disk_used_mb: 'Disk space in use, in MiB.',
  bandwidth_used_mb: 'Bandwidth used in the current calendar month (UTC), in MiB.',
  cpu_used_percent: 'CPU in use, in percent of one core (200 = two cores).',
  ram_used_mb: 'Memory in use, in MiB.',
  terminal_access: 'Whether the account has shell access.',
  smtp_port_25:
    'Whether accounts of the package may connect to port 25 of other servers. Ports 465 and 587 are open to every account.',
  apps_limit: 'Same value as `max_apps`.',
  synced: 'Whether the hosting server has applied the newest state.',
  linux_user: 'Name of the Linux user on the hosting server.',
  primary_domain: 'Name of the primary domain. Null: the account has no domain.',
  node: 'The hosting server. Only admins see this field.',
  measured_at: 'Time when the hosting server measured the usage. Null: not measured yet.',
  missing_ids: 'Requested IDs that do not exist or that the token cannot see.',
  is_primary:
    'Whether this is the primary domain of its account. An account has one primary domain: the first one, unless you choose another.',
  allow_overlap:
    'Lets an admin use a domain that the provider reserves, or a parent or subdomain of a reserved domain or of another account’s domain.',
  ssl: 'The certificate of the domain.',
  issuer: 'Issuer of the certificate.',
  status_reason: 'Reason for the status. Null: the status needs no explanation.',
  allowed_ips:
    'IP addresses that may connect to the database, in addition to its own server. Null: no other address.',
  db_host: 'Host name that the account’s own programs use to connect to the database.',
  schedule: 'Cron expression with five fields, or a name such as `@hourly`.',
  command:
    'Command on one line. The API refuses `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders.',
  template_key: 'Key of a template from `GET /app-templates`.',
  node_version: 'Node.js version. Only for templates that run on Node.js.',
  start_command: 'Start command. Only for templates that run on Node.js.',
  env: 'Environment variables, by name.',
  env_vars: 'Environment variables. The value of a secret is null.',
  requires_domain: 'Whether an app of this template needs a domain.',
  git: 'The Git repository that the app is deployed from.',
  deploy_key: 'Private key with read access to the repository. The API never returns it.',
  release: 'The last deployment. Null: the app has the first content of its template.',
  last_error: 'The end of the log of the last failure.',
  archive_bytes: 'Size of the archive in bytes.',
  expires_in: 'Lifetime in seconds.',
  login_url: 'URL that the end user opens in a browser.',
  request_id: 'ID of the request in the log.',
  errors: 'Error messages of each refused field, by field name.',
};

/** Descriptions of the limits that nodes enforce, under the names for packages and for accounts. */
function limitDescriptions(): Record<string, string> {
  const described = nodeLimits.flatMap(({ name, packageField, description, unlimitable }) => {
    const end = unlimitable ? '. Null: unlimited.' : '.';
    const ofPackage = [packageField, `${description}${end}`] as const;
    return name === packageField
      ? [ofPackage]
      : [[name, `Limit of ${withinSentence(description)}${end}`] as const, ofPackage];
  });
  return Object.fromEntries(described);
}

/** Adds a description to every field that `fieldDescriptions` has, at any depth of the schema. */
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
