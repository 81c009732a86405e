/** A hosting username as the API accepts it, after lowercasing. */
export const USERNAME_PATTERN = /^[a-z0-9_-]{3,16}$/;

/** The Linux user of an account: the username, with the prefix `_` if it does not start with a letter. */
export const LINUX_USER_PATTERN = /^(?:[a-z][a-z0-9_-]{2,15}|_[a-z0-9_-]{3,16})$/;

/** The Linux user of a hosting username (already lowercase and valid). */
export function linuxUserFor(username: string): string {
  return /^[a-z]/.test(username) ? username : `_${username}`;
}
