import type { Shape } from './shape.ts';

/** The tables of "Resources and their fields". */

export const APP_STATUSES = [
  ...[
    'pending',
    'installing',
    'building',
    'updating',
    'starting',
    'stopping',
    'running',
    'stopped',
    'failed',
  ],
  'removing',
] as const;

export const PACKAGE = {
  fields: {
    id: 'int',
    name: 'string',
    slug: 'string',
    disk_mb: 'int',
    bandwidth_mb: 'int',
    cpu_percent: 'int',
    ram_mb: 'int',
    io_read_mbps: 'int or null',
    io_write_mbps: 'int or null',
    iops: 'int or null',
    max_processes: 'int or null',
    max_domains: 'int',
    max_databases: 'int',
    max_apps: 'int',
    max_cron_jobs: 'int',
    terminal_access: 'bool',
    is_active: 'bool',
  },
} as const satisfies Shape;

export const ACCOUNT_LISTED = {
  fields: {
    id: 'int',
    username: 'string',
    email: 'string',
    status: 'string',
    package: { fields: { id: 'int', name: 'string' } },
    created_at: 'timestamp',
  },
} as const satisfies Shape;

export const ACCOUNT_LIMITS = {
  fields: {
    disk_limit_mb: 'int',
    bandwidth_limit_mb: 'int',
    cpu_limit_percent: 'int',
    ram_limit_mb: 'int',
    io_read_mbps: 'int or null',
    io_write_mbps: 'int or null',
    iops: 'int or null',
    max_processes: 'int or null',
    max_domains: 'int',
    max_databases: 'int',
    max_apps: 'int',
    terminal_access: 'bool',
  },
} as const satisfies Shape;

export const USAGE = {
  fields: {
    disk_used_mb: 'int',
    disk_limit_mb: 'int',
    bandwidth_used_mb: 'int',
    bandwidth_limit_mb: 'int',
    cpu_used_percent: 'int',
    cpu_limit_percent: 'int',
    ram_used_mb: 'int',
    ram_limit_mb: 'int',
  },
} as const satisfies Shape;

export const DOMAIN = {
  fields: { id: 'int', domain_name: 'string', hosting_account_id: 'int', is_primary: 'bool' },
} as const satisfies Shape;

export const TEMPLATE = {
  fields: {
    key: 'string',
    name: 'string',
    description: 'string',
    icon: 'string',
    requires_domain: 'bool',
    env_schema: { listOf: 'object' },
  },
} as const satisfies Shape;

export const APP_LISTED = {
  fields: {
    id: 'int',
    hosting_account_id: 'int',
    name: 'string',
    template_key: 'string',
    template_name: 'string',
    status: 'string',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  optional: { domain: { fields: { id: 'int', domain_name: 'string' } } },
} as const satisfies Shape;

export const APP = {
  ...APP_LISTED,
  fields: {
    ...APP_LISTED.fields,
    env_vars: {
      listOf: { fields: { id: 'int', key: 'string', value: 'string or null', is_secret: 'bool' } },
    },
  },
} as const satisfies Shape;

export const DATABASE = {
  fields: {
    id: 'int',
    hosting_account_id: 'int',
    name: 'string',
    db_name: 'string',
    db_user: 'string',
    db_host: 'string',
    status: 'string',
    allowed_ips: 'list of strings or null',
  },
} as const satisfies Shape;

export const CRON_JOB = {
  fields: {
    id: 'int',
    hosting_account_id: 'int',
    name: 'string',
    schedule: 'string',
    command: 'string',
    enabled: 'bool',
  },
} as const satisfies Shape;
