import { LINUX_USER_PATTERN } from '../accounts/username.ts';

/** Highest value of a package's limit, and the most logins that a node accepts for one account. */
export const FTP_LOGINS_HIGHEST_LIMIT = 100;
/** Of packages that nobody has set a number for. */
export const FTP_LOGINS_DEFAULT_LIMIT = 5;
export const FTP_LOGIN_KEYS = 10;

/** Such a password guards files of a site against the whole internet. */
export const FTP_PASSWORD_MIN_CHARACTERS = 10;
export const FTP_PASSWORD_MAX_CHARACTERS = 64;

/** Linux has room for 32 characters: 17 of the account's user, a separator, and these. */
export const FTP_SUFFIX_MAX_CHARACTERS = 14;
export const FTP_SUFFIX_PATTERN = /^[a-z0-9](?:[a-z0-9_-]{0,12}[a-z0-9])?$/;

/** The name of a login: `alice_web`. It begins with the account's user, so two accounts cannot want the same. */
export function ftpLoginNameFor(linuxUser: string, suffix: string): string {
  return `${linuxUser}_${suffix}`;
}

/** Whether a name is that of a login of the account. */
export function isFtpLoginName(name: string, linuxUser: string): boolean {
  return (
    LINUX_USER_PATTERN.test(linuxUser) &&
    name.startsWith(`${linuxUser}_`) &&
    FTP_SUFFIX_PATTERN.test(name.slice(linuxUser.length + 1))
  );
}
