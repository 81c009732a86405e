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
import { homeDriver } from './home/home-driver.ts';
import type { Host } from './host.ts';
import { phpDriver } from './php/php-driver.ts';
import { remainsDriver } from './remains/remains-driver.ts';
import { processesDriver } from './slice/processes-driver.ts';
import { sliceDriver } from './slice/slice-driver.ts';
import { trafficDriver } from './traffic/traffic-driver.ts';
import { loginDriver } from './user/login-driver.ts';
import { userDriver } from './user/user-driver.ts';
import { siteFactsOf, sitesOf } from './web/sites.ts';
import { webDriver } from './web/web-driver.ts';

/**
 * Each stands on those before it: limits before anything can run, everything before the site is public. PHP's socket
 * comes before the limits, since nothing knocks at it before the site is there: while it is open, systemd keeps the
 * account's units in mind, and does not load them for each question (docs/design/node-accounts-and-slices.md).
 */
const creationOrder: readonly Driver<unknown>[] = [
  remainsDriver,
  userDriver,
  quotaDriver,
  homeDriver,
  phpDriver,
  sliceDriver,
  processesDriver,
  loginDriver,
  trafficDriver,
  webDriver,
  databasesDriver,
  smtpDriver,
  cronDriver,
  appSettingsDriver,
  releasesDriver,
  programsDriver,
  oldPasswordsDriver,
  certificatesDriver,
];
/** First the site, the login and all that runs; then databases and files, whose removal takes longer the more there are. */
const removalOrder: readonly Driver<unknown>[] = [
  programsDriver,
  releasesDriver,
  appSettingsDriver,
  cronDriver,
  webDriver,
  phpDriver,
  loginDriver,
  processesDriver,
  databasesDriver,
  oldPasswordsDriver,
  // Once nginx asks for them no more.
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
  processesDriver,
  smtpDriver,
  databasesDriver,
  oldPasswordsDriver,
  userDriver,
  quotaDriver,
  homeDriver,
  sliceDriver,
  certificatesDriver,
];

/** The drivers in the order in which they take an account to its desired state. */
export function driversFor(desiredState: AccountSpec['desired_state']): readonly Driver<unknown>[] {
  if (desiredState === 'suspended') return suspensionOrder;
  return desiredState === 'active' ? creationOrder : removalOrder;
}

/** Tells a host at start what the ledger's accounts should have, before any of them is reconciled. */
export function expectAccounts(specs: readonly AccountSpec[], host: Host): void {
  for (const spec of specs) host.web.expect(ownerOf(spec), sitesOf(spec, siteFactsOf(spec, host)));
}
