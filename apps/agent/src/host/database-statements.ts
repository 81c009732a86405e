import { createHash } from 'node:crypto';
import { DATABASE_NAME_PATTERN, DATABASE_PASSWORD_PATTERN } from '@innkeeper/domain';
import type { Flavour } from './database-server.ts';
import type { Owner } from './host.ts';
import { refused } from './host-error.ts';

/**
 * Statements whose parts cannot be values: names, places, grants. Every part is checked here against what the
 * agent makes, so nothing needs an escape but the wildcards of grants.
 */
const SYSTEM_SCHEMAS = new Set([
  'information_schema',
  'performance_schema',
  'mysql',
  'sys',
  'innkeeper',
  'innkeeper_agent',
]);
const PLACE = /^(?:localhost|[0-9a-f.:]{2,45})$/;

/** All that a tenant may do in its own database; nothing that runs by itself (events) or passes rights on. */
export const PRIVILEGES = [
  'Select',
  'Insert',
  'Update',
  'Delete',
  'Create',
  'Drop',
  'References',
  'Index',
  'Alter',
  'Create_tmp_table',
  'Lock_tables',
  'Execute',
  'Create_view',
  'Show_view',
  'Create_routine',
  'Alter_routine',
  'Trigger',
] as const;
const spoken: Partial<Record<(typeof PRIVILEGES)[number], string>> = {
  Create_tmp_table: 'CREATE TEMPORARY TABLES',
};

/** MySQL's columns of what reaches beyond one database. */
export const GLOBAL_PRIVILEGES = [
  ...PRIVILEGES,
  ...([
    'Grant',
    'File',
    'Process',
    'Super',
    'Reload',
    'Shutdown',
    'Show_db',
    'Create_user',
    'Event',
  ] as const),
  ...(['Repl_slave', 'Repl_client', 'Create_tablespace'] as const),
].map((privilege) => `${privilege}_priv`);

/** Connections of one user at a time: one tenant must not take all that the server has. */
export const CONNECTIONS_PER_USER = 30;

/** Throws HostError `Refused` for a name that is not one of this account's. */
export function assertDatabaseName({ name: linuxUser }: Owner, name: string): void {
  if (
    !DATABASE_NAME_PATTERN.test(name) ||
    !name.startsWith(`${linuxUser.replaceAll('-', '_')}_`) ||
    SYSTEM_SCHEMAS.has(name)
  )
    throw refused(`The database ${name} is not one of ${linuxUser}'s.`);
}

/** `user`@`place`. */
export function account(name: string, place: string): string {
  if (!DATABASE_NAME_PATTERN.test(name) || !PLACE.test(place))
    throw refused(`The user ${name} cannot be made for ${place}.`);
  return `\`${name}\`@\`${place}\``;
}

/** The name as the grant tables hold it: `_` and `%` would be wildcards. */
export function grantPattern(name: string): string {
  return name.replaceAll(/[_%]/g, '\\$&');
}

export function grantStatement(name: string, place: string): string {
  const privileges = PRIVILEGES.map(
    (privilege) => spoken[privilege] ?? privilege.replaceAll('_', ' ').toUpperCase(),
  );
  return `grant ${privileges.join(', ')} on \`${grantPattern(name)}\`.* to ${account(name, place)}`;
}

/** `create` or `alter` of a user. MariaDB gets the hash alone; MySQL makes its own of the password, over the socket. */
export function userStatement(
  verb: 'create user if not exists' | 'alter user',
  flavour: Flavour,
  user: { name: string; place: string; password: string; locked: boolean },
): string {
  if (!DATABASE_PASSWORD_PATTERN.test(user.password))
    throw refused('The password of a database is malformed.');
  const identified =
    flavour === 'mariadb'
      ? `identified by password '${nativeHash(user.password)}'`
      : `identified by '${user.password}'`;
  const lock = user.locked ? 'account lock' : 'account unlock';
  return `${verb} ${account(user.name, user.place)} ${identified} with max_user_connections ${CONNECTIONS_PER_USER} ${lock}`;
}

/** What MariaDB keeps of a password (mysql_native_password). */
export function nativeHash(password: string): string {
  const once = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`;
}
