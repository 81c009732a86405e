/**
 * Names of databases and of their users: at most 32 characters, MySQL's limit for users. Excludes names that a server
 * has itself, and names of files beside its databases.
 */
export const DATABASE_NAME_PATTERN =
  /^(?!(?:information_schema|performance_schema|mysql|mysql_upgrade_info|sys|root|aria_log_control|ib_buffer_pool|undo_\d+)$)[a-z_][a-z0-9_-]{2,31}$/;

const MAX_CHARACTERS = 32;

/** Number of characters of a random name suffix. */
export const DATABASE_SUFFIX_CHARACTERS = 6;

/**
 * The name on the server of a database with the display name `label`: `alice_blog` for "Blog" of alice. Undefined if
 * the label has no usable character, and for names that are reserved for the server.
 */
export function databaseNameFor(linuxUser: string, label: string): string | undefined {
  const suffix = label
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (suffix === '') return undefined;
  const name = `${linuxUser.replaceAll('-', '_')}_${suffix}`.slice(0, MAX_CHARACTERS);
  return DATABASE_NAME_PATTERN.test(name) ? name : undefined;
}

export const DATABASE_LABEL_MAX_CHARACTERS = 64;

/** Maximum number of remote addresses of one database. */
export const ALLOWED_IPS_PER_DATABASE = 50;
/** Its alphabet needs no escaping in SQL, shells, URLs and configuration files. */
export const DATABASE_PASSWORD_PATTERN = /^[A-Za-z0-9]{16,64}$/;
