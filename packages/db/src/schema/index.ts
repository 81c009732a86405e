import type { AccountsTable } from './accounts.ts';
import type { ApiTokensTable } from './api-tokens.ts';
import type { AppsTable } from './apps.ts';
import type { AuditLogTable } from './audit-log.ts';
import type { CronJobsTable } from './cron-jobs.ts';
import type { DatabasesTable } from './databases.ts';
import type { DomainsTable, DomainTreesTable } from './domains.ts';
import type { NodeJoinTokensTable, NodeReservedUsernamesTable, NodesTable } from './nodes.ts';
import type { PackagesTable, ResellerPackagesTable } from './packages.ts';
import type { ResellerPoolsTable } from './reseller-pools.ts';
import type { UsageSnapshotsTable } from './usage-snapshots.ts';
import type { StaffEmailsTable, UsernamesTable, UsersTable } from './users.ts';

export type {
  AccountsTable,
  AuditLogTable,
  DomainsTable,
  NodesTable,
  PackagesTable,
  ResellerPoolsTable,
  UsageSnapshotsTable,
  UsersTable,
};

/** Every table. Column types are what mysql2 returns under this project's connection settings. */
export interface Database {
  users: UsersTable;
  usernames: UsernamesTable;
  staff_emails: StaffEmailsTable;
  api_tokens: ApiTokensTable;
  packages: PackagesTable;
  reseller_packages: ResellerPackagesTable;
  reseller_pools: ResellerPoolsTable;
  nodes: NodesTable;
  node_join_tokens: NodeJoinTokensTable;
  node_reserved_usernames: NodeReservedUsernamesTable;
  accounts: AccountsTable;
  domains: DomainsTable;
  domain_trees: DomainTreesTable;
  apps: AppsTable;
  databases: DatabasesTable;
  cron_jobs: CronJobsTable;
  usage_snapshots: UsageSnapshotsTable;
  audit_log: AuditLogTable;
}
