/**
 * How often in a minute, which begins with the first try, an address may try to sign in, a password of a name
 * may be tried, whether anybody has the name or not, and a code of a user, by whoever has the password.
 */
export const signInLimits = {
  'sign-in-address': 30,
  'sign-in-name': 10,
  'second-factor': 5,
} as const;

export type SignInLimit = keyof typeof signInLimits;

/**
 * Counts one try of an address, a name or a user's id; what counts is shared by all instances. Throws, with
 * what the caller is answered, when there were too many.
 */
export type CountAttempt = (limit: SignInLimit, whose: string) => Promise<void>;
