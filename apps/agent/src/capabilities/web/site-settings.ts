import { createHash } from 'node:crypto';
import type { SiteSettings } from '@innkeeper/protocol';

/**
 * What the owner of a site has set, as the link's target says it (deploy/node/etc/nginx/conf.d/innkeeper.conf reads it):
 * a last value of the folder's name, and folders below it for what has slashes.
 *
 *   h              HTTP is not redirected to HTTPS
 *   p              asks for a password of the file `password` in the target
 *   <digest>       of the rest, so that each combination has a folder of its own
 *   /of,/NAME      shows the folder of the domain NAME
 *   /at,/FOLDER    asks for the password there only
 *   /in,/FOLDER    document root below the home
 *   /to,/301/https/HOST/PATH,       redirects; /to,/301,path/... adds the path of the request
 *
 * No value has a comma, except the URL of a redirect, which is the last.
 */
export interface EncodedSettings {
  /** Empty for a site without settings. */
  readonly settings: string;
  /** Content of the file `password`. Null: there is none. */
  readonly passwords: string | null;
}

export const PASSWORD_FILE = 'password';

const SETTINGS_PATTERN = /^h?(p?)([0-9a-f]{32})?((?:\/[^/]+)*)$/;
/** Of a file system. */
const NAME_MAX_BYTES = 255;

/** `shownFolder`: the domain whose folder is shown. Null: the domain's own. */
export function encodeSettings(site: SiteSettings, shownFolder: string | null): EncodedSettings {
  const { keeps_http, redirect, document_root, password } = site;
  const isLocked = password !== null && redirect === null;
  const passwords = isLocked ? `${password.user}:${password.hash}\n` : null;
  const below =
    redirect === null
      ? [
          shownFolder === null ? '' : `/of,/${shownFolder}`,
          isLocked && password.folder !== null ? `/at,/${password.folder}` : '',
          document_root === null ? '' : `/in,/${document_root}`,
        ].join('')
      : redirectPath(redirect);
  const digest = below === '' && passwords === null ? '' : digestOf(below, passwords);
  const field = `${keeps_http ? 'h' : ''}${isLocked ? 'p' : ''}${digest}`;
  return { settings: field === '' ? '' : field + below, passwords };
}

function redirectPath({ url, status, keeps_path }: NonNullable<SiteSettings['redirect']>): string {
  const [scheme, rest = ''] = url.split('://');
  const path = keeps_path ? rest.replace(/\/$/, '') : rest;
  return `/to,/${status}${keeps_path ? ',path' : ''}/${scheme}/${path},`;
}

/** Whether a text can be the settings of a target: no part of it leaves the target's folder. */
export function isSettings(text: string): boolean {
  return (
    text === '' ||
    (SETTINGS_PATTERN.test(text) &&
      text
        .split('/')
        .every((part) => part !== '.' && part !== '..' && Buffer.byteLength(part) <= NAME_MAX_BYTES))
  );
}

/** Whether settings need a file of passwords. */
export function needsPasswords(settings: string): boolean {
  return SETTINGS_PATTERN.exec(settings)?.[1] === 'p';
}

/** Whether this is the file of passwords that the settings name. `passwords`: null if there is none. */
export function namesPasswords(settings: string, passwords: string | null): boolean {
  const [, , digest = '', below = ''] = SETTINGS_PATTERN.exec(settings) ?? [];
  return digest === '' ? below === '' && passwords === null : digest === digestOf(below, passwords);
}

function digestOf(below: string, passwords: string | null): string {
  return createHash('sha256')
    .update(`${below}\n${passwords ?? ''}`)
    .digest('hex')
    .slice(0, 32);
}
