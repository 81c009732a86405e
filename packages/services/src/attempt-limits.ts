/**
 * Attempts allowed per minute. The window starts at the first attempt:
 *
 * - `sign-in-address`: sign-ins per client network, for any username.
 * - `sign-in-network`: passwords per client network and username, whether the username exists or not.
 * - `sign-in-name`: passwords per username from all networks. The limit is high, so that a few strangers do not lock
 *   the owner out. A known browser of the owner does not count here.
 * - `sign-in-browser`: passwords and codes per known browser and username.
 * - `own-password`: attempts of a signed-in user to enter the current password.
 * - `second-factor`: codes per user, from anyone who knows the password.
 * - `recovery-code`: recovery codes per client network and user.
 * - `password-link-address`: requests for a link that sets a password, per client network, for any username.
 */
export const signInLimits = {
  'sign-in-address': 30,
  'sign-in-network': 10,
  'sign-in-name': 100,
  'sign-in-browser': 10,
  'own-password': 10,
  'second-factor': 5,
  'recovery-code': 5,
  'password-link-address': 10,
} as const;

export type SignInLimit = keyof typeof signInLimits;

/**
 * The subject of a limit: a username, a user id or a browser; a network, given by an address in it; or both together.
 */
export interface CountedTry {
  name?: string;
  address?: string;
}

/** Counts one attempt. All instances share the counters. Throws the error for the caller if there were too many. */
export type CountAttempt = (limit: SignInLimit, whose: CountedTry) => Promise<void>;
