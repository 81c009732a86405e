export type {
  AccountListItem,
  AccountView,
  AddNodeInput,
  AppListItem,
  AppSummary,
  AppTemplateView,
  AppView,
  BulkUsage,
  ChangePackageInput,
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
export { changeAccountPackage } from './accounts/change-account-package.ts';
export { checkUsername } from './accounts/check-username.ts';
export { countAccounts } from './accounts/count-accounts.ts';
export { createAccount } from './accounts/create-account.ts';
export { exportAccounts } from './accounts/export-accounts.ts';
export { findCreateFailure } from './accounts/find-create-failure.ts';
export { getAccount } from './accounts/get-account.ts';
export { type Counted, getHosting, type HostingView } from './accounts/get-hosting.ts';
export { listAccounts } from './accounts/list-accounts.ts';
export { listProblems, type Problem } from './accounts/list-problems.ts';
export { retryAccount } from './accounts/retry-account.ts';
export { type AccountSearch, searchAccounts } from './accounts/search-accounts.ts';
export { setAccountPassword } from './accounts/set-account-password.ts';
export { setAccountPerson } from './accounts/set-account-person.ts';
export { type AccountResources, setAccountResources } from './accounts/set-account-resources.ts';
export { setOwnAccountPassword } from './accounts/set-own-account-password.ts';
export { suspendAccount } from './accounts/suspend-account.ts';
export { getSuspensionReason } from './accounts/suspension-reason.ts';
export { terminateAccount } from './accounts/terminate-account.ts';
export { unsuspendAccount } from './accounts/unsuspend-account.ts';
export { requireInstall, requireZipDeploy } from './apps/app-policy.ts';
export { type AppTemplates, builtInAppTemplates } from './apps/app-templates.ts';
export { changeApp } from './apps/change-app.ts';
export { createApp } from './apps/create-app.ts';
export { deployGit } from './apps/deploy-git.ts';
export { deployZip } from './apps/deploy-zip.ts';
export { getApp } from './apps/get-app.ts';
export { type AppControls, getAppControls } from './apps/get-app-controls.ts';
export { getInstallChoices, type InstallChoices } from './apps/get-install-choices.ts';
export type { UploadedArchive } from './apps/inspect-archive.ts';
export { listAppTemplates } from './apps/list-app-templates.ts';
export { listApps } from './apps/list-apps.ts';
export { type AppReleaseView, listReleases } from './apps/list-releases.ts';
export { listSiteApps } from './apps/list-site-apps.ts';
export { type PushOutcome, receivePush, removePushSecret, renewPushSecret } from './apps/push-hook.ts';
export { APP_LOG_MAX_LINES, readAppLog } from './apps/read-app-log.ts';
export { removeApp } from './apps/remove-app.ts';
export { rollbackApp } from './apps/rollback-app.ts';
export { startApp } from './apps/start-app.ts';
export { stopApp } from './apps/stop-app.ts';
export { sweepUploads } from './apps/sweep-uploads.ts';
export { type CountAttempt, type CountedTry, type SignInLimit, signInLimits } from './attempt-limits.ts';
export { type AuditEntry, type AuditSource, audit } from './audit.ts';
export { findFormerAccount } from './audit-log/find-former-account.ts';
export { type AuditItem, type AuditQuery, listAudit } from './audit-log/list-audit.ts';
export { pruneAudit } from './audit-log/prune-audit.ts';
export { type Brand, type Brands, createBrands, productBrand } from './branding/brands.ts';
export { findBrandLogo } from './branding/find-brand-logo.ts';
export { type BrandSettings, getBrand } from './branding/get-brand.ts';
export { listResellerBrands } from './branding/list-reseller-brands.ts';
export { removeBrand } from './branding/remove-brand.ts';
export { setBrand } from './branding/set-brand.ts';
export { removeBrandLogo, setBrandLogo } from './branding/set-brand-logo.ts';
export type { BulkAction, BulkChangeView } from './bulk-changes/bulk-change.ts';
export { changeManyAccounts, type ManyChange } from './bulk-changes/change-many-accounts.ts';
export { type BulkChangeDetails, getBulkChange, listBulkChanges } from './bulk-changes/get-bulk-change.ts';
export {
  type BackgroundContext,
  runBulkChanges,
  sweepBulkChanges,
} from './bulk-changes/run-bulk-changes.ts';
export { channelRefusals } from './channels/channel-refusals.ts';
export type { ChannelContext, NodeChannel, OpenNodeChannel } from './channels/open-channel.ts';
export { openChannel } from './channels/open-channel.ts';
export type {
  Actor,
  EndUser,
  KeyClaim,
  Operator,
  OperatorContext,
  ServiceContext,
  WakeNode,
} from './context.ts';
export { createCronJob } from './cron-jobs/create-cron-job.ts';
export { getCronJob } from './cron-jobs/get-cron-job.ts';
export { listCronJobs } from './cron-jobs/list-cron-jobs.ts';
export { removeCronJob } from './cron-jobs/remove-cron-job.ts';
export { updateCronJob } from './cron-jobs/update-cron-job.ts';
export { allowDatabaseIp } from './databases/allow-database-ip.ts';
export { createDatabase } from './databases/create-database.ts';
export { getDatabase } from './databases/get-database.ts';
export { type DatabaseApp, listDatabaseApps } from './databases/list-database-apps.ts';
export { listDatabases } from './databases/list-databases.ts';
export { exportDatabase, importDatabase } from './databases/move-data.ts';
export { removeDatabase } from './databases/remove-database.ts';
export { resetDatabasePassword } from './databases/reset-database-password.ts';
export { revokeDatabaseIp } from './databases/revoke-database-ip.ts';
export { showDatabasePassword } from './databases/show-database-password.ts';
export type { Written } from './desired-state.ts';
export { changeSite, type SiteChange } from './domains/change-site.ts';
export { createDomain } from './domains/create-domain.ts';
export { getDomain } from './domains/get-domain.ts';
export { getSite, type SiteView } from './domains/get-site.ts';
export { installSsl } from './domains/install-ssl.ts';
export { listDomains } from './domains/list-domains.ts';
export { checkDns, type DnsState, getDnsState, lookAtDns, pauseOf } from './domains/look-at-dns.ts';
export { createNameGuard, type Dns, type NameGuard, noNameGuard } from './domains/name-guard.ts';
export { removeDomain } from './domains/remove-domain.ts';
export { findOverlapsOf, listReservedOverlaps, overlapSentence } from './domains/reserved-names.ts';
export { retryDomain } from './domains/retry-domain.ts';
export { getSitePhp, type SitePhpView } from './domains/site-php.ts';
export { noteFileChange } from './files/note-file-change.ts';
export { changeFtpLogin } from './ftp-logins/change-ftp-login.ts';
export { createFtpLogin } from './ftp-logins/create-ftp-login.ts';
export type { FtpLoginView } from './ftp-logins/ftp-login-view.ts';
export { type FtpAccess, getFtpAccess, getFtpLoginOf } from './ftp-logins/get-ftp-access.ts';
export { removeFtpLogin } from './ftp-logins/remove-ftp-login.ts';
export { claimKey, KEY_LEASE_S, type KeyReading } from './idempotency/claim-key.ts';
export { type KeyOutcome, renewKey, settleKey } from './idempotency/settle-key.ts';
export { writeOnce } from './idempotency/write-once.ts';
export { createLoginLink, type LoginLink } from './login-links/create-login-link.ts';
export { type BroughtLink, checkLoginLink, followLoginLink } from './login-links/follow-login-link.ts';
export { getMailSettings, isMailOn, type MailSettings } from './mail/get-mail-settings.ts';
export { listMails, type MailItem } from './mail/list-mails.ts';
export type { MailMessage, MailServer, SendMail, SendOutcome } from './mail/mail-server.ts';
export { removeMailSettings } from './mail/remove-mail-settings.ts';
export { type OutboxContext, sendDueMails, sweepMails } from './mail/send-due-mails.ts';
export { sendTestMail } from './mail/send-test-mail.ts';
export { setMailSettings } from './mail/set-mail-settings.ts';
export { mailLanguages } from './mail/texts/index.ts';
export { type AccountMailView, getAccountMail } from './mail-relay/get-account-mail.ts';
export { getMailRelay, type MailRelayState, type MailRelayView } from './mail-relay/get-mail-relay.ts';
export { removeMailRelay, setMailRelay } from './mail-relay/set-mail-relay.ts';
export { findRelayTest, type RelayTest, testMailRelay } from './mail-relay/test-mail-relay.ts';
export { addNode } from './nodes/add-node.ts';
export type { AskNode } from './nodes/ask-node.ts';
export { cordonNode, uncordonNode } from './nodes/cordon-node.ts';
export { enrollNode, requireJoinSecret } from './nodes/enroll-node.ts';
export { findOnlineCounts } from './nodes/find-online-counts.ts';
export { getNode } from './nodes/get-node.ts';
export { getServerHistory, type ServerFigures } from './nodes/get-server-history.ts';
export { heartbeat } from './nodes/heartbeat.ts';
export type { IssuedIdentity } from './nodes/issue-identity.ts';
export { JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './nodes/join-secret.ts';
export { listNodeFigures, type NodeWithFigures } from './nodes/list-node-figures.ts';
export { listNodeNames } from './nodes/list-node-names.ts';
export { listNodes } from './nodes/list-nodes.ts';
export { listServices, type ServiceState } from './nodes/list-services.ts';
export type { NodeRef } from './nodes/node-ref.ts';
export type { NodeSession } from './nodes/node-session.ts';
export type { NodeView } from './nodes/node-view.ts';
export { pullAccounts } from './nodes/pull-accounts.ts';
export { readArchive } from './nodes/read-archive.ts';
export { type RegisterSessionInput, registerSession } from './nodes/register-session.ts';
export { removeNode } from './nodes/remove-node.ts';
export { renewIdentity } from './nodes/renew-identity.ts';
export { renewJoinToken } from './nodes/renew-join-token.ts';
export {
  createRequireIdentity,
  type PresentedCertificate,
  type RequireIdentity,
} from './nodes/require-identity.ts';
export { revokeNode } from './nodes/revoke-node.ts';
export { type ServerWarning, serverWarningSentence } from './nodes/server-warning.ts';
export { acceptNodeCapacity, setNodeCapacity } from './nodes/set-node-capacity.ts';
export { type StoredReport, type StoreReportInput, storeReport } from './nodes/store-report.ts';
export { createStoreReport, type StoreReport } from './nodes/store-reports.ts';
export { type FirstSteps, getFirstSteps } from './overview/get-first-steps.ts';
export { type Fleet, type FleetServer, getFleet } from './overview/get-fleet.ts';
export { type Growth, getGrowth } from './overview/get-growth.ts';
export { type FailingAccount, listFailingAccounts } from './overview/list-failing-accounts.ts';
export { assignPackage, unassignPackage } from './packages/assign-package.ts';
export {
  changePackage,
  type PackageChangePreview,
  previewPackageChange,
} from './packages/change-package.ts';
export { createPackage } from './packages/create-package.ts';
export { deletePackage, replacePackage } from './packages/delete-package.ts';
export { getPackage } from './packages/get-package.ts';
export { getPackageDetails } from './packages/get-package-details.ts';
export { listAllPackages } from './packages/list-all-packages.ts';
export { listPackages, listPackagesOfReseller } from './packages/list-packages.ts';
export type { OperatorPackageView } from './packages/package-view.ts';
export { retirePackage } from './packages/retire-package.ts';
export { setPackageMail } from './packages/set-package-mail.ts';
export { updatePackage } from './packages/update-package.ts';
export type { Page, PageRequest } from './page.ts';
export type { EndUserContext, UserContext, VisitorContext } from './panel-context.ts';
export { requestPasswordLink } from './password-links/request-password-link.ts';
export {
  checkPasswordLink,
  type LinkVisitor,
  setPasswordByLink,
} from './password-links/set-password-by-link.ts';
export { generatePassword } from './passwords/generated-password.ts';
export { getPhpLimits, setPhpLimits } from './php-limits/php-limits.ts';
export {
  type ResellerSuspended,
  setResellerPassword,
  setResellerPerson,
  suspendReseller,
  unsuspendReseller,
} from './resellers/change-reseller.ts';
export { deleteReseller } from './resellers/delete-reseller.ts';
export { findManager } from './resellers/find-manager.ts';
export { getPool } from './resellers/get-pool.ts';
export { handOverAccount } from './resellers/hand-over-account.ts';
export {
  getEstate,
  type HandOverPreview,
  handOverAccounts,
  previewHandOver,
} from './resellers/hand-over-accounts.ts';
export { listResellers, type ResellerView } from './resellers/list-resellers.ts';
export { makeResellerLink } from './resellers/make-reseller-link.ts';
export type { PoolView } from './resellers/pool-view.ts';
export { type SetPoolInput, setPool } from './resellers/set-pool.ts';
export { type Found, searchPanel } from './search/search-panel.ts';
export { beginTotp, type TotpBegun } from './second-factor/begin-totp.ts';
export { confirmTotp } from './second-factor/confirm-totp.ts';
export { disableTotp } from './second-factor/disable-totp.ts';
export { findSecondFactorState, type SecondFactorState } from './second-factor/find-second-factor-state.ts';
export { renewRecoveryCodes } from './second-factor/renew-recovery-codes.ts';
export { resetSecondFactor } from './second-factor/reset-second-factor.ts';
export { unlockSecondFactor } from './second-factor/unlock-second-factor.ts';
export { createSealer, type Sealer } from './secrets/sealer.ts';
export { createSigner, type Signer } from './secrets/signer.ts';
export type { NewSession } from './sessions/create-session.ts';
export { endAllSessions } from './sessions/end-all-sessions.ts';
export { endSession } from './sessions/end-session.ts';
export { findSession, type SessionIdentity } from './sessions/find-session.ts';
export { listSessions, type SessionView } from './sessions/list-sessions.ts';
export { isProven, proveSession } from './sessions/prove-session.ts';
export { sweepSessions } from './sessions/sweep-sessions.ts';
export { tellSessionEnd } from './sessions/tell-session-end.ts';
export { finishSignIn } from './sign-in/finish-sign-in.ts';
export { makeKnownBrowser } from './sign-in/known-browser.ts';
export type { Challenge } from './sign-in/second-factor-challenge.ts';
export { type SignedIn, type SignInContext, signIn } from './sign-in/sign-in.ts';
export { listSignInFailures, sweepSignInFailures } from './sign-in/sign-in-failures.ts';
export { createSshKey } from './ssh-keys/create-ssh-key.ts';
export { getSshAccess, type SshAccess } from './ssh-keys/get-ssh-access.ts';
export { removeSshKey } from './ssh-keys/remove-ssh-key.ts';
export type { SshKeyView } from './ssh-keys/ssh-key-view.ts';
export { acceptInvitation, checkInvitation } from './staff/accept-invitation.ts';
export {
  disableStaff,
  enableStaff,
  removeStaff,
  renewInvitation,
  type StaffChanged,
  setStaffRole,
} from './staff/change-staff.ts';
export { type Invitation, invitationPath } from './staff/invitation.ts';
export { inviteStaff } from './staff/invite-staff.ts';
export { getStaff, listStaff } from './staff/list-staff.ts';
export type { StaffView } from './staff/staff-view.ts';
export { authenticateToken, type TokenIdentity } from './tokens/authenticate-token.ts';
export { type CreateTokenInput, createToken } from './tokens/create-token.ts';
export { listLiveTokens, type TokenPage } from './tokens/list-live-tokens.ts';
export { listNewTokens } from './tokens/list-new-tokens.ts';
export { listTokens } from './tokens/list-tokens.ts';
export { revokeToken } from './tokens/revoke-token.ts';
export type { TokenView } from './tokens/token-view.ts';
export { touchToken } from './tokens/touch-token.ts';
export { getBulkUsage } from './usage/get-bulk-usage.ts';
export { getUsage } from './usage/get-usage.ts';
export {
  type AccountFigures,
  getSiteTraffic,
  getUsageHistory,
  type HistoryPoint,
  type TrafficFigures,
} from './usage/get-usage-history.ts';
export { listStoredUsage } from './usage/list-stored-usage.ts';
export { storeUsage } from './usage/store-usage.ts';
export { sweepUsage } from './usage/sweep-usage.ts';
export { createUsageRefresher, type RefreshUsage } from './usage/usage-refresher.ts';
export { createAdmin } from './users/create-admin.ts';
export { createReseller } from './users/create-reseller.ts';
export { findUserId } from './users/find-user-id.ts';
export { getProfile, type Profile } from './users/get-profile.ts';
export type { PanelUserView } from './users/panel-user.ts';
export { setOwnLanguage } from './users/set-own-language.ts';
export { setOwnPassword } from './users/set-own-password.ts';
export { setOwnProfile } from './users/set-own-profile.ts';
