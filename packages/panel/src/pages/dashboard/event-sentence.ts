import type { AuditItem } from '@innkeeper/services';

type Details = AuditItem['details'];
type Sentence = string | ((details: Details) => string);

/** Sentences for actions on an account. For other actions the sentence names only the kind of the target. */
const sentences: Readonly<Record<string, Sentence>> = {
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
  'user.profile': 'Your name or email address was changed',
  'totp.reset': 'Your provider turned off two-factor authentication',
  'session.create': 'New sign-in to this panel',
  'domain.create': (details) => `Domain ${named(details, 'domain_name')} was added`,
  'domain.install-ssl': (details) => `A certificate for ${named(details, 'domain_name')} was requested`,
  'domain.auto-ssl': (details) =>
    `A certificate for ${named(details, 'domain_name')} was requested, because its DNS leads here`,
  'domain.settings': (details) => `The settings of ${named(details, 'domain_name')} were changed`,
  'domain.delete': (details) => `The removal of domain ${named(details, 'domain_name')} was started`,
  'domain.removed': (details) => removed(details, 'domains', 'Domain', 'Domains'),
  'database.create': (details) => `Database ${named(details, 'db_name')} was added`,
  'database.password': (details) => `The password of database ${named(details, 'db_name')} was changed`,
  'database.show-password': (details) => `The password of database ${named(details, 'db_name')} was shown`,
  'database.allow-ip': (details) =>
    `${difference(details, 'after', 'before')} was allowed to connect to database ${named(details, 'db_name')}`,
  'database.revoke-ip': (details) =>
    `${difference(details, 'before', 'after')} can no longer connect to database ${named(details, 'db_name')}`,
  'database.delete': (details) => `The removal of database ${named(details, 'db_name')} was started`,
  'database.removed': (details) => removed(details, 'databases', 'Database', 'Databases'),
  'app.create': (details) => `App ${named(details, 'name')} was installed`,
  'app.update': (details) => `The settings of app ${named(details, 'name')} were changed`,
  'app.start': (details) => `App ${named(details, 'name')} was started`,
  'app.stop': (details) => `App ${named(details, 'name')} was stopped`,
  'app.deploy': (details) => `A new release of app ${named(details, 'name')} was deployed`,
  'app.push-deploy': (details) => `A push deployed a new release of app ${named(details, 'name')}`,
  'app.push-hook': (details) =>
    `Deploy on push of app ${named(details, 'name')} was turned on, or its secret renewed`,
  'app.push-hook-off': (details) => `Deploy on push of app ${named(details, 'name')} was turned off`,
  'app.rollback': (details) => `App ${named(details, 'name')} was rolled back to an earlier release`,
  'app.delete': (details) => `The removal of app ${named(details, 'name')} was started`,
  'app.removed': (details) => removed(details, 'apps', 'App', 'Apps'),
  'cron-job.create': (details) => `Cron job ${named(details, 'name')} was added`,
  'cron-job.update': (details) => `Cron job ${named(details, 'name')} was changed`,
  'cron-job.delete': (details) => `Cron job ${named(details, 'name')} was removed`,
};

const kinds: ReadonlyMap<string, string> = new Map([
  ['domain', 'a domain'],
  ['database', 'a database'],
  ['app', 'an app'],
  ['cron-job', 'a cron job'],
]);

/** Describes an audit log entry in a sentence for the customer. */
export function eventSentence({ action, details }: Pick<AuditItem, 'action' | 'details'>): string {
  const sentence = Object.hasOwn(sentences, action) ? sentences[action] : undefined;
  if (sentence === undefined) {
    const kind = kinds.get(action.slice(0, action.indexOf('.'))) ?? 'the account';
    return `Something about ${kind} was changed.`;
  }
  return `${typeof sentence === 'string' ? sentence : sentence(details)}.`;
}

/** The name of the target, from whichever part of the entry has it. */
function named(details: Details, field: string): string {
  for (const part of [details.after, details.before, details]) {
    const name = (part as Details | null | undefined)?.[field];
    if (typeof name === 'string') return name;
  }
  return '(unnamed)';
}

function removed(details: Details, field: string, one: string, many: string): string {
  const names = listOf(details, field);
  if (names.length === 0) return `${many} were removed from the server`;
  return names.length === 1
    ? `${one} ${names[0]} was removed from the server`
    : `${many} ${names.join(', ')} were removed from the server`;
}

/** The allowed addresses that only one side has. */
function difference(details: Details, side: 'before' | 'after', other: 'before' | 'after'): string {
  const listed = (at: 'before' | 'after') => listOf((details[at] ?? {}) as Details, 'allowed_ips');
  const others = new Set(listed(other));
  return (
    listed(side)
      .filter((ip) => !others.has(ip))
      .join(', ') || 'An address'
  );
}

function listOf(details: Details, field: string): string[] {
  const list = details[field] ?? (details.before as Details | null | undefined)?.[field];
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}
