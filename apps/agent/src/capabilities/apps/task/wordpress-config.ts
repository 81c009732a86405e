/** A file beside an app's releases. The hosting server keeps it up to date, whatever happens to wp-config.php. */
export const DATABASE_SETTINGS = 'database.json';

const SALTS = ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY'].flatMap((key) => [
  key,
  key.replace('KEY', 'SALT'),
]);

/** An app's database settings: WordPress's constants, as data, because PHP caches code but not data. */
export function databaseSettings({ name, password }: { name: string; password: string }): string {
  const settings = { DB_NAME: name, DB_USER: name, DB_PASSWORD: password, DB_HOST: 'localhost' };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/**
 * `wp-config.php`, written once; after that it belongs to its owner. The site's address is the host name of the
 * request. It is one of the account's domains and cannot be forged by a client. So a new domain needs no change in the
 * database.
 */
export function wordPressConfig(newSalt: () => string): string {
  return `<?php
// The hosting server keeps it up to date: changes there are undone, changes here are yours.
foreach (json_decode(file_get_contents(dirname(__DIR__, 2) . '/${DATABASE_SETTINGS}'), true) as $name => $value) {
    define($name, $value);
}
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
$table_prefix = 'wp_';

${SALTS.map((key) => `define('${key}', ${phpString(newSalt())});`).join('\n')}

if (($_SERVER['SERVER_NAME'] ?? '') !== '') {
    define('WP_HOME', (($_SERVER['HTTPS'] ?? '') === 'on' ? 'https://' : 'http://') . $_SERVER['SERVER_NAME']);
    define('WP_SITEURL', WP_HOME);
}
define('FS_METHOD', 'direct');
define('WP_DEBUG', false);

if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
`;
}

/**
 * Encodes a text as a single-quoted PHP string, in which only the quote and the backslash have a meaning. Throws for
 * characters that are not allowed in a setting.
 */
export function phpString(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('A control character cannot stand in a PHP setting.');
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
