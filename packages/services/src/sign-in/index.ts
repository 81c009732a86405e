export { type CountAttempt, type SignInLimit, signInLimits } from './attempt-limits.ts';
export { finishSignIn } from './finish-sign-in.ts';
export type { Challenge } from './second-factor-challenge.ts';
export { type SignedIn, type SignInContext, signIn } from './sign-in.ts';
