/** `names`: of the removed records, joined. */
function removed(one: string, many: string) {
  return (names: readonly string[]) =>
    names.length === 0
      ? `${many} were removed from the server`
      : names.length === 1
        ? `${one} ${names[0]} was removed from the server`
        : `${many} ${names.join(', ')} were removed from the server`;
}

import type { Child } from 'hono/jsx';

export const en = {
  sites: 'Sites',
  allSites: (count: number) => (count === 1 ? 'Show the site list' : `All ${count} sites`),
  noSites: 'There is no site yet.',
  firstSite: 'Create the first one',
  /** Actions on an account, without the full stop. */
  accountEvents: {
    'account.create': 'The account was created',
    'account.create_failed': 'The account could not be created',
    'account.suspend': 'The account was suspended',
    'account.unsuspend': 'The account was unsuspended',
    'account.terminate': 'The removal of the account was started',
    'account.set-password': 'The password of the account was changed',
    'account.change-package': 'The package of the account was changed',
    'account.set-resources': 'The limits of the account were changed',
    'account.retry': 'The server was asked to try everything again',
    'account.login-link': 'A login link was created',
    'totp.reset': 'Your provider turned off two-factor authentication',
    'user.profile': 'Your name or email address was changed',
    'session.create': 'New sign-in to this panel',
  },
  /** Actions on a record with a name. */
  recordEvents: {
    'domain.create': (name: string) => `Domain ${name} was added`,
    'domain.install-ssl': (name: string) => `A certificate for ${name} was requested`,
    'domain.auto-ssl': (name: string) =>
      `A certificate for ${name} was requested, because its DNS leads here`,
    'domain.settings': (name: string) => `The settings of ${name} were changed`,
    'domain.delete': (name: string) => `The removal of domain ${name} was started`,
    'database.create': (name: string) => `Database ${name} was added`,
    'database.password': (name: string) => `The password of database ${name} was changed`,
    'database.show-password': (name: string) => `The password of database ${name} was shown`,
    'database.export': (name: string) => `Database ${name} was exported`,
    'database.import': (name: string) => `A file was imported into database ${name}`,
    'database.delete': (name: string) => `The removal of database ${name} was started`,
    'app.create': (name: string) => `App ${name} was installed`,
    'app.update': (name: string) => `The settings of app ${name} were changed`,
    'app.start': (name: string) => `App ${name} was started`,
    'app.stop': (name: string) => `App ${name} was stopped`,
    'app.deploy': (name: string) => `A new release of app ${name} was deployed`,
    'app.push-deploy': (name: string) => `A push deployed a new release of app ${name}`,
    'app.push-hook': (name: string) => `Deploy on push of app ${name} was turned on, or its secret renewed`,
    'app.push-hook-off': (name: string) => `Deploy on push of app ${name} was turned off`,
    'app.rollback': (name: string) => `App ${name} was rolled back to an earlier release`,
    'app.delete': (name: string) => `The removal of app ${name} was started`,
    'ftp-login.create': (name: string) => `FTP login ${name} was added`,
    'ftp-login.update': (name: string) => `FTP login ${name} was changed`,
    'ftp-login.delete': (name: string) => `FTP login ${name} was removed`,
    'ssh-key.create': (name: string) => `SSH key ${name} was added`,
    'ssh-key.delete': (name: string) => `SSH key ${name} was removed`,
    'cron-job.create': (name: string) => `Scheduled task ${name} was added`,
    'cron-job.update': (name: string) => `Scheduled task ${name} was changed`,
    'cron-job.delete': (name: string) => `Scheduled task ${name} was removed`,
  },
  removedEvents: {
    'domain.removed': removed('Domain', 'Domains'),
    'database.removed': removed('Database', 'Databases'),
    'app.removed': removed('App', 'Apps'),
  },
  addressEvents: {
    'database.allow-ip': (ip: string, name: string) => `${ip} was allowed to connect to database ${name}`,
    'database.revoke-ip': (ip: string, name: string) => `${ip} can no longer connect to database ${name}`,
  },
  changedEvents: {
    domain: 'Something about a domain was changed',
    database: 'Something about a database was changed',
    app: 'Something about an app was changed',
    'ftp-login': 'Something about an FTP login was changed',
    'ssh-key': 'Something about an SSH key was changed',
    'cron-job': 'Something about a scheduled task was changed',
    account: 'Something about the account was changed',
  },
  missingTools: {
    '/files':
      'This panel has no file manager yet. Deploy files with an app from a ZIP archive or from Git, or copy them over SSH if the account has terminal access.',
    '/backups': 'This panel has no backups yet. Keep copies of your files and databases elsewhere.',
  },
  title: 'Dashboard',
  newSite: 'New site',
  recentActivity: 'Recent activity',
  account: 'Account',
  status: 'Status',
  package: 'Package',
  primaryDomain: 'Primary domain',
  noneYet: 'none yet: create a site',
  serverAddress: 'Server address',
  homeFolder: 'Home folder',
  phpVersion: 'PHP version',
  notReported: 'not reported yet',
  databaseHost: 'Database host',
  forOwnSites: '(for your own sites and apps)',
  terminalAccess: 'Terminal access',
  noTerminal: 'Not available for this account. Your provider can enable it.',
  noActivity: 'No activity yet. This list shows the changes that you and your provider make.',
  newestFirst: 'Recent activity, newest first',
  what: 'What',
  by: 'By',
  when: 'When',
  you: 'you',
  theServer: 'the server',
  yourProvider: 'your provider',
  history: 'History',
  usage: 'Usage',
  notMeasured:
    'There are no measurements of disk space, bandwidth, CPU and memory yet: the server has not answered. Reload this page in a minute.',
  stale: '. The server has not answered since then, so the values may be out of date.',
  perMonth: '. Traffic counts per calendar month (UTC).',
  domains: 'Domains',
  databases: 'Databases',
  apps: 'Apps',
  cronJobs: 'Scheduled tasks',
  unnamed: '(unnamed)',
  anAddress: 'An address',
  bySsh: (command: Child): Child => ['By SSH, with the password of this account: ', command],
  measuredAt: (moment: Child): Child => ['Measured at ', moment],
};
