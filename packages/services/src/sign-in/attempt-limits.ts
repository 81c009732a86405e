/**
 * How often in a minute, which begins with the first try:
 *
 * - `sign-in-address`: a network may try to sign in, under any name.
 * - `sign-in-network`: a network may try passwords of one name, whether anybody has the name or not.
 * - `sign-in-name`: passwords of one name may be tried from everywhere: so high that a few strangers do not keep the
 *   owner out, who is spared besides where the browser is known.
 * - `sign-in-browser`: a browser that its user has signed in with before may try passwords and codes of this user.
 * - `own-password`: a user who is signed in may try the own password.
 * - `second-factor`: codes of a user may be tried, by whoever has the password.
 * - `recovery-code`: a network may try recovery codes of a user.
 */
export const signInLimits = {
  'sign-in-address': 30,
  'sign-in-network': 10,
  'sign-in-name': 100,
  'sign-in-browser': 10,
  'own-password': 10,
  'second-factor': 5,
  'recovery-code': 5,
} as const;

export type SignInLimit = keyof typeof signInLimits;

/** Whose tries are counted: a name, a user's id or a browser; a network, by an address in it; or both together. */
export interface CountedTry {
  name?: string;
  address?: string;
}

/**
 * Counts one try; what counts is shared by all instances. Throws, with what the caller is answered, when there were
 * too many.
 */
export type CountAttempt = (limit: SignInLimit, whose: CountedTry) => Promise<void>;
