export { type CountAttempt, type CountedTry, type SignInLimit, signInLimits } from './attempt-limits.ts';
export { finishSignIn } from './finish-sign-in.ts';
export { makeKnownBrowser } from './known-browser.ts';
export type { Challenge } from './second-factor-challenge.ts';
export { type SignedIn, type SignInContext, signIn } from './sign-in.ts';
export { listSignInFailures, sweepSignInFailures } from './sign-in-failures.ts';
