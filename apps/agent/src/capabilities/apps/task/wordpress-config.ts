import { phpString } from './php-string.ts';

/** Beside an app's releases: what the hosting server keeps up to date, whatever becomes of wp-config.php. */
export const DATABASE_SETTINGS = 'database.json';

const SALTS = ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY'].flatMap((key) => [
  key,
  key.replace('KEY', 'SALT'),
]);

/** How an app reaches its database: WordPress's constants, as data, which PHP does not cache as it does code. */
export function databaseSettings({ name, password }: { name: string; password: string }): string {
  const settings = { DB_NAME: name, DB_USER: name, DB_PASSWORD: password, DB_HOST: 'localhost' };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/**
 * `wp-config.php`, written once: it is its owner's from then on. The address is what the web server was asked by, which
 * is one of the account's domains and nothing that a client could make up, so that another domain needs no change in
 * the database.
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
