export type {
  AccountListItem,
  AccountView,
  AddNodeInput,
  AppListItem,
  AppSummary,
  AppTemplateView,
  AppView,
  BulkUsage,
  CreatePackageInput,
  CronJobListItem,
  CronJobUpdate,
  CronJobView,
  DatabaseListItem,
  DatabaseView,
  DomainListItem,
  DomainView,
  NewAccount,
  NewApp,
  NewCronJob,
  NewDatabase,
  NewDomain,
  PackageView,
  PanelUserInput,
  UsageView,
} from '@innkeeper/contract';
export * from './accounts/index.ts';
export * from './apps/index.ts';
export { type AuditEntry, type AuditSource, audit } from './audit.ts';
export * from './audit-log/index.ts';
export type { Actor, EndUser, Operator, OperatorContext, ServiceContext, WakeNode } from './context.ts';
export * from './cron-jobs/index.ts';
export * from './databases/index.ts';
export * from './domains/index.ts';
export * from './idempotency/index.ts';
export * from './login-links/index.ts';
export * from './nodes/index.ts';
export * from './packages/index.ts';
export type { Page, PageRequest } from './page.ts';
export type { EndUserContext, UserContext, VisitorContext } from './panel-context.ts';
export * from './resellers/index.ts';
export * from './second-factor/index.ts';
export * from './secrets/index.ts';
export * from './sessions/index.ts';
export * from './sign-in/index.ts';
export * from './tokens/index.ts';
export * from './usage/index.ts';
export * from './users/index.ts';
export type { Written } from './written.ts';
