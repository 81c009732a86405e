import type { Migration } from 'kysely/migration';
import { up as initial } from './0001-initial.ts';
import { up as wholeApi } from './0002-whole-api.ts';
import { up as recordCounts } from './0003-record-counts.ts';
import { up as nodePhpVersion } from './0004-node-php-version.ts';
import { up as nodeTimeZone } from './0005-node-time-zone.ts';
import { up as accountSearch } from './0006-account-search.ts';
import { up as allocationCounts } from './0007-allocation-counts.ts';
import { up as nodeIdentities } from './0008-node-identities.ts';
import { up as signInGuards } from './0009-sign-in-guards.ts';
import { up as creationIds } from './0013-creation-ids.ts';
import { up as nodeCapacity } from './0015-node-capacity.ts';
import { up as packageSmtp } from './0016-package-smtp.ts';
import { up as noCertificateEmail } from './0017-no-certificate-email.ts';
import { up as siteSettings } from './0018-site-settings.ts';
import { up as httpsAndPushHooks } from './0019-https-and-push-hooks.ts';
import { up as usageHistory } from './0020-usage-history.ts';
import { up as staff } from './0021-staff.ts';
import { up as brandsAndMail } from './0022-brands-and-mail.ts';
import { up as bulkChanges } from './0023-bulk-changes.ts';
import { up as nodeFigures } from './0024-node-figures.ts';
import { up as operators } from './0025-operators.ts';
import { up as releaseCommits } from './0027-release-commits.ts';
import { up as accountDays } from './0028-account-days.ts';
import { up as appRetries } from './0029-app-retries.ts';
import { up as sshKeys } from './0030-ssh-keys.ts';
import { up as phpSettings } from './0031-php-settings.ts';
import { up as accountNames } from './0032-account-names.ts';
import { up as formerAccounts } from './0033-former-accounts.ts';
import { up as ftpLogins } from './0034-ftp-logins.ts';
import { up as accountMail } from './0035-account-mail.ts';
import { up as languagesAndExpiry } from './0037-languages-and-expiry.ts';
import { up as nextTries } from './0038-next-tries.ts';

/**
 * All migrations by name, in order. Listed in code, so that a bundle contains them. Never change a released migration;
 * add a new one. Expand first, contract in a later release: release N and N-1 run at the same time.
 */
export const migrations: Record<string, Migration> = {
  '0001-initial': { up: initial },
  '0002-whole-api': { up: wholeApi },
  '0003-record-counts': { up: recordCounts },
  '0004-node-php-version': { up: nodePhpVersion },
  '0005-node-time-zone': { up: nodeTimeZone },
  '0006-account-search': { up: accountSearch },
  '0007-allocation-counts': { up: allocationCounts },
  '0008-node-identities': { up: nodeIdentities },
  '0009-sign-in-guards': { up: signInGuards },
  '0013-creation-ids': { up: creationIds },
  '0015-node-capacity': { up: nodeCapacity },
  '0016-package-smtp': { up: packageSmtp },
  '0017-no-certificate-email': { up: noCertificateEmail },
  '0018-site-settings': { up: siteSettings },
  '0019-https-and-push-hooks': { up: httpsAndPushHooks },
  '0020-usage-history': { up: usageHistory },
  '0021-staff': { up: staff },
  '0022-brands-and-mail': { up: brandsAndMail },
  '0023-bulk-changes': { up: bulkChanges },
  '0024-node-figures': { up: nodeFigures },
  '0025-operators': { up: operators },
  '0027-release-commits': { up: releaseCommits },
  '0028-account-days': { up: accountDays },
  '0029-app-retries': { up: appRetries },
  '0030-ssh-keys': { up: sshKeys },
  '0031-php-settings': { up: phpSettings },
  '0032-account-names': { up: accountNames },
  '0033-former-accounts': { up: formerAccounts },
  '0034-ftp-logins': { up: ftpLogins },
  '0035-account-mail': { up: accountMail },
  '0037-languages-and-expiry': { up: languagesAndExpiry },
  '0038-next-tries': { up: nextTries },
};
