import type { AccountSpec } from '@innkeeper/protocol';
import { programsDriver } from './apps/programs/programs-driver.ts';
import { releasesDriver } from './apps/releases/releases-driver.ts';
import { appSettingsDriver } from './apps/settings/app-settings-driver.ts';
import { certificatesDriver } from './certificates/certificates-driver.ts';
import { ownerOf } from './claim.ts';
import { cronDriver } from './cron/cron-driver.ts';
import { databasesDriver } from './databases/databases-driver.ts';
import { oldPasswordsDriver } from './databases/old-passwords-driver.ts';
import { quotaDriver } from './disk/quota-driver.ts';
import type { Driver } from './driver.ts';
import { smtpDriver } from './firewall/smtp-driver.ts';
import { ftpLoginsDriver } from './ftp-logins/ftp-logins-driver.ts';
import { homeDriver } from './home/home-driver.ts';
import type { Host } from './host.ts';
import { mailDriver } from './mail/mail-driver.ts';
import { phpDriver } from './php/php-driver.ts';
import { remainsDriver } from './remains/remains-driver.ts';
import { processesDriver } from './slice/processes-driver.ts';
import { sliceDriver } from './slice/slice-driver.ts';
import { sshKeysDriver } from './ssh-keys/ssh-keys-driver.ts';
import { trafficDriver } from './traffic/traffic-driver.ts';
import { loginDriver } from './user/login-driver.ts';
import { userDriver } from './user/user-driver.ts';
import { siteFactsOf, sitesOf } from './web/sites.ts';
import { webDriver } from './web/web-driver.ts';

/**
 * Each driver depends on those before it: limits come before anything can run, and everything comes before the site is
 * public. PHP's socket comes before the limits, because nothing connects to it before the site is published. While the
 * socket is open, systemd keeps the account's units in memory and does not load them for each query
 * (docs/design/node-accounts-and-slices.md).
 */
const creationOrder: readonly Driver<unknown>[] = [
  remainsDriver,
  userDriver,
  quotaDriver,
  homeDriver,
  phpDriver,
  sliceDriver,
  processesDriver,
  sshKeysDriver,
  loginDriver,
  trafficDriver,
  webDriver,
  databasesDriver,
  smtpDriver,
  mailDriver,
  cronDriver,
  appSettingsDriver,
  releasesDriver,
  programsDriver,
  oldPasswordsDriver,
  certificatesDriver,
  ftpLoginsDriver,
];
/**
 * First the site, the login and everything that runs. Then databases and files, because their removal time grows with
 * their size.
 */
const removalOrder: readonly Driver<unknown>[] = [
  programsDriver,
  releasesDriver,
  appSettingsDriver,
  cronDriver,
  webDriver,
  phpDriver,
  loginDriver,
  ftpLoginsDriver,
  sshKeysDriver,
  processesDriver,
  // After the processes, because then nothing sends.
  mailDriver,
  databasesDriver,
  oldPasswordsDriver,
  // After the web driver, because then nginx no longer uses the certificates.
  certificatesDriver,
  trafficDriver,
  sliceDriver,
  homeDriver,
  quotaDriver,
  smtpDriver,
  userDriver,
  remainsDriver,
];
/** First what is taken away, then what a suspended account keeps. */
const suspensionOrder: readonly Driver<unknown>[] = [
  programsDriver,
  releasesDriver,
  cronDriver,
  webDriver,
  phpDriver,
  loginDriver,
  ftpLoginsDriver,
  sshKeysDriver,
  processesDriver,
  smtpDriver,
  mailDriver,
  databasesDriver,
  oldPasswordsDriver,
  userDriver,
  quotaDriver,
  homeDriver,
  sliceDriver,
  certificatesDriver,
];

/** Returns the drivers in the order that takes an account to its desired state. */
export function driversFor(desiredState: AccountSpec['desired_state']): readonly Driver<unknown>[] {
  if (desiredState === 'suspended') return suspensionOrder;
  return desiredState === 'active' ? creationOrder : removalOrder;
}

/** At start, gives a host the desired state of the ledger's accounts, before any of them is reconciled. */
export function expectAccounts(specs: readonly AccountSpec[], host: Host): void {
  for (const spec of specs) host.web.expect(ownerOf(spec), sitesOf(spec, siteFactsOf(spec, host)));
}
