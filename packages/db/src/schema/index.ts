import type { AccountMailTable, MailRelaysTable } from './account-mail.ts';
import type { AccountsTable, FormerAccountsTable } from './accounts.ts';
import type { ApiTokensTable } from './api-tokens.ts';
import type { AppEnvVarsTable, AppReleasesTable, AppsTable, ReleaseArchiveChunksTable } from './apps.ts';
import type { AuditLogTable } from './audit-log.ts';
import type { BrandsTable } from './brands.ts';
import type { BulkChangeAccountsTable, BulkChangesTable } from './bulk-changes.ts';
import type { CronJobsTable } from './cron-jobs.ts';
import type { DatabaseAllowedIpsTable, DatabasesTable } from './databases.ts';
import type { DomainsTable, DomainTreesTable } from './domains.ts';
import type { FtpLoginsTable } from './ftp-logins.ts';
import type { MailSettingsTable, OutboxMailsTable, PasswordLinksTable } from './mail.ts';
import type {
  NodeJoinTokensTable,
  NodeNatsUsersTable,
  NodeReservedUsernamesTable,
  NodesTable,
} from './nodes.ts';
import type { PackagesTable, ResellerPackagesTable } from './packages.ts';
import type { PhpLimitsTable } from './php-limits.ts';
import type { AccountDaysTable, RecordCountsTable } from './record-counts.ts';
import type {
  IdempotencyKeysTable,
  RateLimitsTable,
  SignInFailureKind,
  SignInFailuresTable,
} from './request-guards.ts';
import type { ResellerPoolsTable } from './reseller-pools.ts';
import type { RecoveryCodesTable, SessionMethod, SessionsTable } from './sessions.ts';
import type { SshKeysTable } from './ssh-keys.ts';
import type {
  AccountUsageTable,
  ServerUsageTable,
  SiteUsageTable,
  UsagePartsTable,
} from './usage-history.ts';
import type { BandwidthMonthlyTable, UsageSnapshotsTable } from './usage-snapshots.ts';
import type { StaffEmailsTable, UsernamesTable, UsersTable } from './users.ts';

export type {
  AccountMailTable,
  AccountsTable,
  AccountUsageTable,
  AppEnvVarsTable,
  AppReleasesTable,
  AppsTable,
  AuditLogTable,
  BulkChangesTable,
  CronJobsTable,
  DatabasesTable,
  DomainsTable,
  FtpLoginsTable,
  MailRelaysTable,
  NodesTable,
  PackagesTable,
  ReleaseArchiveChunksTable,
  ResellerPoolsTable,
  ServerUsageTable,
  SessionMethod,
  SessionsTable,
  SignInFailureKind,
  SiteUsageTable,
  SshKeysTable,
  UsersTable,
};

/** All tables. Column types are those that mysql2 returns with this project's connection settings. */
export interface Database {
  users: UsersTable;
  usernames: UsernamesTable;
  staff_emails: StaffEmailsTable;
  api_tokens: ApiTokensTable;
  brands: BrandsTable;
  packages: PackagesTable;
  reseller_packages: ResellerPackagesTable;
  reseller_pools: ResellerPoolsTable;
  nodes: NodesTable;
  node_join_tokens: NodeJoinTokensTable;
  node_nats_users: NodeNatsUsersTable;
  node_reserved_usernames: NodeReservedUsernamesTable;
  accounts: AccountsTable;
  former_accounts: FormerAccountsTable;
  domains: DomainsTable;
  domain_trees: DomainTreesTable;
  apps: AppsTable;
  app_env_vars: AppEnvVarsTable;
  app_releases: AppReleasesTable;
  release_archive_chunks: ReleaseArchiveChunksTable;
  databases: DatabasesTable;
  database_allowed_ips: DatabaseAllowedIpsTable;
  cron_jobs: CronJobsTable;
  ssh_keys: SshKeysTable;
  ftp_logins: FtpLoginsTable;
  usage_snapshots: UsageSnapshotsTable;
  bandwidth_monthly: BandwidthMonthlyTable;
  account_usage: AccountUsageTable;
  server_usage: ServerUsageTable;
  site_usage: SiteUsageTable;
  usage_parts: UsagePartsTable;
  mail_relays: MailRelaysTable;
  account_mail: AccountMailTable;
  mail_settings: MailSettingsTable;
  php_limits: PhpLimitsTable;
  outbox_mails: OutboxMailsTable;
  password_links: PasswordLinksTable;
  sessions: SessionsTable;
  recovery_codes: RecoveryCodesTable;
  rate_limits: RateLimitsTable;
  sign_in_failures: SignInFailuresTable;
  idempotency_keys: IdempotencyKeysTable;
  audit_log: AuditLogTable;
  bulk_changes: BulkChangesTable;
  bulk_change_accounts: BulkChangeAccountsTable;
  record_counts: RecordCountsTable;
  account_days: AccountDaysTable;
}
