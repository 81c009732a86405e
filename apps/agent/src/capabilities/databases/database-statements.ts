import { createHash } from 'node:crypto';
import { DATABASE_NAME_PATTERN, DATABASE_PASSWORD_PATTERN } from '@innkeeper/domain';
import { refused } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import type { Flavour } from './database-server.ts';

/**
 * Statements whose parts cannot be passed as values: names, hosts, grants. Every part is checked here against the
 * format that the agent generates, so only the wildcards of grants need escaping.
 */
const SYSTEM_SCHEMAS = new Set([
  'information_schema',
  'performance_schema',
  'mysql',
  'sys',
  'innkeeper',
  'innkeeper_agent',
]);
const NATIVE_HASH = /^\*[0-9A-F]{40}$/;
const PLACE = /^(?:localhost|[0-9a-f.:]{2,45})$/;

/**
 * All privileges of a tenant in its own database; none that can be passed on. Events are allowed because dumps contain
 * them; the server runs no events (docs/design/databases.md).
 */
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
  'Event',
] as const;
/** The remaining privileges in a full database: reading, and everything that makes the database smaller. */
export const READ_ONLY_PRIVILEGES = [
  'Select',
  'Delete',
  'Drop',
  'Lock_tables',
  'Execute',
  'Show_view',
] as const satisfies readonly (typeof PRIVILEGES)[number][];
const spoken: Partial<Record<(typeof PRIVILEGES)[number], string>> = {
  Create_tmp_table: 'CREATE TEMPORARY TABLES',
};

/** MySQL's columns for privileges beyond one database. */
export const GLOBAL_PRIVILEGES = [
  ...PRIVILEGES,
  ...(['Grant', 'File', 'Process', 'Super', 'Reload', 'Shutdown', 'Show_db', 'Create_user'] as const),
  ...(['Repl_slave', 'Repl_client', 'Create_tablespace'] as const),
].map((privilege) => `${privilege}_priv`);

/** The server itself, by its socket and by its loopback addresses. */
export const LOCAL_PLACES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** Throws HostError `Refused` for a name that does not belong to this account. */
export function assertDatabaseName({ name: linuxUser }: Owner, name: string): void {
  if (
    !DATABASE_NAME_PATTERN.test(name) ||
    !name.startsWith(`${linuxUser.replaceAll('-', '_')}_`) ||
    SYSTEM_SCHEMAS.has(name)
  )
    throw refused(`The database ${name} is not one of ${linuxUser}'s.`);
}

/** Returns `user`@`place`. */
export function account(name: string, place: string): string {
  if (!DATABASE_NAME_PATTERN.test(name) || !PLACE.test(place))
    throw refused(`The user ${name} cannot be created for ${place}.`);
  return `\`${name}\`@\`${place}\``;
}

/** Returns the name as the grant tables contain it: an unescaped `_` or `%` would be a wildcard. */
export function grantPattern(name: string): string {
  return name.replaceAll(/[_%]/g, '\\$&');
}

export function grantStatement(name: string, place: string, readOnly: boolean): string {
  const privileges = (readOnly ? READ_ONLY_PRIVILEGES : PRIVILEGES).map(
    (privilege) => spoken[privilege] ?? privilege.replaceAll('_', ' ').toUpperCase(),
  );
  return `grant ${privileges.join(', ')} on \`${grantPattern(name)}\`.* to ${account(name, place)}`;
}

/**
 * Statement for `create` or `alter` of a user. MariaDB gets only the hash. MySQL gets the password over the socket and
 * hashes it itself. `oldHash`: a password that stays valid until `forgetOldStatement`; on MySQL that is the previous
 * one.
 */
export function userStatement(
  verb: 'create user if not exists' | 'alter user',
  flavour: Flavour,
  user: { name: string; place: string; password: string; connections: number; locked: boolean },
  oldHash?: string,
): string {
  if (!DATABASE_PASSWORD_PATTERN.test(user.password))
    throw refused('The password of a database is malformed.');
  const identified = identifiedBy(flavour, user.password, verb === 'alter user' ? oldHash : undefined);
  const lock = user.locked ? 'account lock' : 'account unlock';
  if (!Number.isSafeInteger(user.connections) || user.connections < 1)
    throw refused('The connection limit of a user must be greater than 0.');
  const encryption = needsEncryption(user.place) ? 'require ssl' : 'require none';
  return `${verb} ${account(user.name, user.place)} ${identified} ${encryption} with max_user_connections ${user.connections} ${lock}`;
}

function identifiedBy(flavour: Flavour, password: string, oldHash: string | undefined): string {
  if (flavour === 'mysql')
    return `identified by '${password}'${oldHash === undefined ? '' : ' retain current password'}`;
  const hash = nativeHash(password);
  if (oldHash === undefined || oldHash === hash) return `identified by password '${hash}'`;
  if (!NATIVE_HASH.test(oldHash)) throw refused('The hash of the old password is malformed.');
  const plugin = 'mysql_native_password using';
  return `identified via ${plugin} '${hash}' or ${plugin} '${oldHash}'`;
}

/** Statement after which only the new password is valid. */
export function forgetOldStatement(
  flavour: Flavour,
  user: { name: string; place: string; password: string },
): string {
  const alter = `alter user ${account(user.name, user.place)}`;
  return flavour === 'mysql'
    ? `${alter} discard old password`
    : `${alter} ${identifiedBy(flavour, user.password, undefined)}`;
}

/** Connections from other servers travel over networks, so they need encryption. */
export function needsEncryption(place: string): boolean {
  return !LOCAL_PLACES.includes(place);
}

/** The hash that MariaDB stores for a password (mysql_native_password). */
export function nativeHash(password: string): string {
  const once = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`;
}
