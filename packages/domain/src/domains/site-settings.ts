import { readDomainName } from './domain-name.ts';

/**
 * A folder below another one, without `.` and `..`, hidden folders and characters that mean something to nginx or to the
 * agent's names in its folder of sites.
 */
export const FOLDER_PATTERN =
  /^(?=.{1,200}$)[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** The stored form of a typed folder: without slashes at its ends. Undefined for a text that is no such folder. */
export function readFolder(text: string): string | undefined {
  const folder = text.replace(/^\/+|\/+$/g, '');
  return FOLDER_PATTERN.test(folder) ? folder : undefined;
}

export const redirectStatuses = [301, 302] as const;
export const REDIRECT_URL_MAX_CHARACTERS = 1_000;

/** A part of a URL becomes the name of a folder on the node, which has at most 255 bytes. */
const URL_PART_MAX_CHARACTERS = 200;

/**
 * The stored form of the URL that a site redirects to: `http` or `https`, a domain name, ASCII, without a user, a
 * fragment and empty parts of the path. Undefined for another text.
 */
export function readRedirectUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, host, hostname, pathname, search, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '' || readDomainName(hostname) !== hostname)
    return undefined;
  const url = `${protocol}//${host}${pathname}${search.replaceAll('/', '%2F')}`;
  const parts = `${host}${url.slice(protocol.length + 2 + host.length)}`.split('/');
  const isPath = parts.every((part, at) => part.length <= URL_PART_MAX_CHARACTERS && isPart(part, at, parts));
  return isPath && url.length <= REDIRECT_URL_MAX_CHARACTERS && /^[!-~]+$/.test(url) ? url : undefined;
}

function isPart(part: string, at: number, parts: readonly string[]): boolean {
  if (part === '') return at === parts.length - 1;
  return part !== '.' && part !== '..';
}

/** Who may open a protected folder. A colon would end the name in the header of the request. */
export const SITE_USER_PATTERN = /^[A-Za-z0-9._@-]{1,64}$/;

/** Shorter passwords are refused; longer ones make each request dearer. */
export const SITE_PASSWORD_MIN_CHARACTERS = 8;
export const SITE_PASSWORD_MAX_CHARACTERS = 64;
