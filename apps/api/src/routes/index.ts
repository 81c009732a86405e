import type { Routes } from '../http/route.ts';
import { getBulkUsage } from './accounts/bulk-usage.ts';
import { checkUsername } from './accounts/check-username.ts';
import { createAccount } from './accounts/create.ts';
import { listAccounts } from './accounts/list.ts';
import { createLoginLink } from './accounts/login-link.ts';
import { changeAccountPackage } from './accounts/package.ts';
import { setAccountPassword } from './accounts/password.ts';
import { setAccountResources } from './accounts/resources.ts';
import { getAccount } from './accounts/show.ts';
import { suspendAccount } from './accounts/suspend.ts';
import { terminateAccount } from './accounts/terminate.ts';
import { unsuspendAccount } from './accounts/unsuspend.ts';
import { getUsage } from './accounts/usage.ts';
import { createApp } from './apps/create.ts';
import { deployGit } from './apps/deploy-git.ts';
import { deployZip } from './apps/deploy-zip.ts';
import { listApps } from './apps/list.ts';
import { listAppTemplates } from './apps/list-templates.ts';
import { removeApp } from './apps/remove.ts';
import { getApp } from './apps/show.ts';
import { createCronJob } from './cron-jobs/create.ts';
import { listCronJobs } from './cron-jobs/list.ts';
import { removeCronJob } from './cron-jobs/remove.ts';
import { getCronJob } from './cron-jobs/show.ts';
import { updateCronJob } from './cron-jobs/update.ts';
import { allowDatabaseIp } from './databases/allow-ip.ts';
import { createDatabase } from './databases/create.ts';
import { listDatabases } from './databases/list.ts';
import { resetDatabasePassword } from './databases/password.ts';
import { removeDatabase } from './databases/remove.ts';
import { revokeDatabaseIp } from './databases/revoke-ip.ts';
import { getDatabase } from './databases/show.ts';
import { createDomain } from './domains/create.ts';
import { listDomains } from './domains/list.ts';
import { removeDomain } from './domains/remove.ts';
import { getDomain } from './domains/show.ts';
import { installSsl } from './domains/ssl.ts';
import { listPackages } from './packages/list.ts';
import { getPackage } from './packages/show.ts';
import { followLoginLink } from './sign-in/follow-login-link.ts';
import { health } from './system/health.ts';
import { me } from './system/me.ts';
import { ready } from './system/ready.ts';

/** The implementation of every endpoint in the contract's table. */
export const routes: Routes = {
  health,
  ready,
  me,
  followLoginLink,
  listPackages,
  getPackage,
  listAccounts,
  checkUsername,
  getBulkUsage,
  createAccount,
  getAccount,
  getUsage,
  suspendAccount,
  unsuspendAccount,
  setAccountPassword,
  changeAccountPackage,
  setAccountResources,
  createLoginLink,
  terminateAccount,
  listDomains,
  createDomain,
  getDomain,
  installSsl,
  removeDomain,
  listDatabases,
  createDatabase,
  getDatabase,
  resetDatabasePassword,
  allowDatabaseIp,
  revokeDatabaseIp,
  removeDatabase,
  listCronJobs,
  createCronJob,
  getCronJob,
  updateCronJob,
  removeCronJob,
  listAppTemplates,
  listApps,
  createApp,
  getApp,
  removeApp,
  deployZip,
  deployGit,
};
