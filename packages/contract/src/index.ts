export type { AccountInclude, NewAccount } from './accounts/requests.ts';
export type { AccountListItem, AccountView } from './accounts/responses.ts';
export type { GitSource } from './apps/git-source.ts';
export { type AppChange, appChangeBody, type NewApp } from './apps/requests.ts';
export type { AppListItem, AppSummary, AppTemplateView, AppView } from './apps/responses.ts';
export { nestBracketedKeys } from './bracketed-keys.ts';
export type { CronJobUpdate, NewCronJob } from './cron-jobs/requests.ts';
export type { CronJobListItem, CronJobView } from './cron-jobs/responses.ts';
export type { NewDatabase } from './databases/requests.ts';
export type { DatabaseListItem, DatabaseView } from './databases/responses.ts';
export type { NewDomain } from './domains/requests.ts';
export type { DomainListItem, DomainView } from './domains/responses.ts';
export {
  documentRootSetting,
  httpsSetting,
  newAlias,
  type PasswordInput,
  type PhpInput,
  passwordSetting,
  phpSetting,
  type RedirectInput,
  redirectSetting,
} from './domains/site-settings.ts';
export { API_PREFIX, type Endpoint, type InputOf, type RateLimitName, rateLimits } from './endpoint.ts';
export { type EndpointName, endpoints } from './endpoints.ts';
export { type ErrorStatus, errorBodies, statusOf } from './error-bodies.ts';
export {
  changedFtpLogin,
  type FtpLoginChange,
  type NewFtpLogin,
  newFtpLogin,
} from './ftp-logins/requests.ts';
export { openApiDocument } from './openapi/document.ts';
export type { OpenApiDocument } from './openapi/openapi-types.ts';
export {
  type AddNodeInput,
  type BrandInput,
  brandSettings,
  type ChangePackageInput,
  type CreatePackageInput,
  changedPackage,
  type MailRelayInput,
  type MailSettingsInput,
  mailRelay,
  mailRelayTest,
  mailSettings,
  newNode,
  newPackage,
  newPassword,
  newStaffPerson,
  newStaffUser,
  newToken,
  nodeCapacity,
  ownProfile,
  type PanelUserInput,
  type PhpLimitsInput,
  type ProfileInput,
  packageMail,
  phpLimits,
  poolChange,
  type StaffPersonInput,
} from './operator-requests.ts';
export type { PackageView } from './packages/responses.ts';
export { findAccountReference } from './record-references.ts';
export { type NewSshKey, newSshKey } from './ssh-keys/requests.ts';
export { type TerminalRequest, terminalControl, terminalRequest } from './terminal/requests.ts';
export { formatTimestamp, type ViewOf } from './timestamp.ts';
export type { BulkUsage, UsageView } from './usage/responses.ts';
export { fieldErrors, parseFields, validationBody } from './validation-body.ts';
