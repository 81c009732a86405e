import { DomainError } from '../domain-error.ts';

/**
 * People who run the installation. `admin`: everything. `support`: sees everything, logs in as customers, and does the
 * daily work on accounts. `read_only`: sees everything, changes nothing.
 */
export const staffRoles = ['admin', 'support', 'read_only'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Roles of panel users. `user`: the customer of one account. */
export type Role = StaffRole | 'reseller' | 'user';

/**
 * Who writes. `self`: a user in matters of the own sign-in, also while it signs in. `system`: a hosting server's report.
 */
export type Doer = Role | 'self' | 'system';

const admins = ['admin'] as const;
/** Creates and sells accounts. */
const sellers = ['admin', 'reseller'] as const;
/** The daily work on accounts. */
const helpers = ['admin', 'support', 'reseller'] as const;
/** Works on the sites of an account. Support does this logged in as the customer. */
const owners = ['admin', 'reseller', 'user'] as const;
const self = ['self'] as const;
const system = ['system'] as const;

/**
 * The only table of rights: every write has an action, and each action a row with the roles that may do it. The audit log
 * refuses an action without a row or of another role, and the write with it (`audit` in the services).
 */
const rights = {
  'account.change-package': sellers,
  'account.change-package-many': sellers,
  'account.create': sellers,
  'account.create_failed': system,
  'account.follow-package': sellers,
  'account.hand-over': admins,
  'account.login-link': helpers,
  'account.removed': system,
  'account.retry': [...helpers, 'user'],
  'account.set-password': [...helpers, 'user'],
  'account.set-person': sellers,
  'account.set-resources': sellers,
  'account.suspend': helpers,
  'account.suspend-many': helpers,
  'account.terminate': sellers,
  'account.unsuspend': helpers,
  'account.unsuspend-many': helpers,
  'admin.create': admins,
  'app.create': owners,
  'app.delete': owners,
  'app.deploy': owners,
  'app.push-deploy': owners,
  'app.push-hook': owners,
  'app.push-hook-off': owners,
  'app.removed': system,
  'app.rollback': owners,
  'app.start': owners,
  'app.stop': owners,
  'app.update': owners,
  'audit.prune': admins,
  'brand.remove': sellers,
  'brand.set': sellers,
  'brand.set-logo': sellers,
  'cron-job.create': owners,
  'cron-job.delete': owners,
  'cron-job.update': owners,
  'database.allow-ip': owners,
  'database.create': owners,
  'database.delete': owners,
  'database.export': owners,
  'database.import': owners,
  'database.password': owners,
  'database.removed': system,
  'database.revoke-ip': owners,
  'database.show-password': owners,
  'domain.auto-ssl': owners,
  'domain.create': owners,
  'domain.delete': owners,
  'domain.install-ssl': [...helpers, 'user'],
  'domain.removed': system,
  'domain.settings': owners,
  'files.change': owners,
  'files.close': owners,
  'files.delete': owners,
  'files.extract': owners,
  'files.open': owners,
  'files.permissions': owners,
  'files.upload': owners,
  'ftp-login.create': owners,
  'ftp-login.delete': owners,
  'ftp-login.update': owners,
  'mail-relay.remove': admins,
  'mail-relay.set': admins,
  'mail-relay.test': admins,
  'mail.remove': admins,
  'mail.set': admins,
  'mail.test': admins,
  'node.accept-capacity': admins,
  'node.add': admins,
  'node.cordon': admins,
  'node.enroll': system,
  'node.remove': admins,
  'node.renew-join-token': admins,
  'node.revoke': admins,
  'node.set-capacity': admins,
  'node.uncordon': admins,
  'package.assign': admins,
  'package.change': sellers,
  'package.create': sellers,
  'package.delete': sellers,
  'package.offer': sellers,
  'package.replace': sellers,
  'package.retire': sellers,
  'package.unassign': admins,
  'package.update': admins,
  'php.limits': admins,
  'recovery-codes.renew': self,
  'reseller.create': admins,
  'reseller.delete': admins,
  'reseller.hand-over': admins,
  'reseller.password-link': admins,
  'reseller.set-password': admins,
  'reseller.set-person': admins,
  'reseller.set-pool': admins,
  'reseller.suspend': admins,
  'reseller.unsuspend': admins,
  'session.create': self,
  'session.end': self,
  'session.end-all': self,
  'session.prove': self,
  'ssh-key.create': owners,
  'ssh-key.delete': owners,
  'staff.accept-invitation': self,
  'staff.disable': admins,
  'staff.enable': admins,
  'staff.invite': admins,
  'staff.remove': admins,
  'staff.renew-invitation': admins,
  'staff.set-role': admins,
  'terminal.close': owners,
  'terminal.open': owners,
  'token.create': sellers,
  'token.revoke': sellers,
  'totp.confirm': self,
  'totp.disable': self,
  'totp.lock': self,
  'totp.reset': helpers,
  'totp.unlock': helpers,
  'user.profile': self,
  'user.set-password': self,
} as const satisfies Record<string, readonly Doer[]>;

/** A write, as the audit log names it. A new one needs a row in `rights`. */
export type Action = keyof typeof rights;

export const allActions = Object.keys(rights) as Action[];

export function may(doer: Doer, action: Action): boolean {
  return Object.hasOwn(rights, action) && (rights[action] as readonly Doer[]).includes(doer);
}

/** Throws DomainError `forbidden` unless the role may do it. */
export function requireMay(doer: Doer, action: Action): void {
  if (!may(doer, action)) throw new DomainError('forbidden', 'This action is unauthorized.');
}

export function isStaffRole(role: string): role is StaffRole {
  return (staffRoles as readonly string[]).includes(role);
}
