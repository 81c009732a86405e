import {
  type AccountSpec,
  type AppSpec,
  accountSpecSchema,
  appSpecSchema,
  type DomainSpec,
  domainSpecSchema,
} from '@innkeeper/protocol';

/** A valid spec with one domain and the given changes. */
export function specOf(changes: Partial<AccountSpec>): AccountSpec {
  return accountSpecSchema.parse({
    account_id: 1,
    generation: 1,
    desired_state: 'active',
    linux_user: 'demo',
    creation_id: 'c0'.repeat(16),
    uid: 20_000,
    terminal_access: false,
    password_hash: `$6$saltsalt$${'a'.repeat(86)}`,
    limits: {
      disk_mb: 1_000,
      bandwidth_mb: 10_000,
      cpu_percent: 100,
      ram_mb: 512,
      io_read_mbps: null,
      io_write_mbps: null,
      iops: null,
      max_processes: null,
    },
    domains: [domainOf(1, 'demo.example.com')],
    ...changes,
  });
}

/** An active primary domain without a certificate, with the given changes. */
export function domainOf(domain_id: number, name: string, changes: Partial<DomainSpec> = {}): DomainSpec {
  return domainSpecSchema.parse({ domain_id, name, is_primary: true, desired_state: 'active', ...changes });
}

/** A running Node.js app with the given changes. */
export function nodeApp(appId: number, changes: Partial<AppSpec> = {}): AppSpec {
  return appSpecSchema.parse({
    app_id: appId,
    template_key: 'nodejs',
    runtime: 'nodejs',
    installer: 'starter',
    retries: 0,
    desired_state: 'running',
    domain_id: null,
    database_id: null,
    node_version: '20',
    start_command: 'node server.js',
    env: [],
    release: null,
    ...changes,
  });
}
