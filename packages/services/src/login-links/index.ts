export { createLoginLink, type LoginLink } from './create-login-link.ts';
export { type BroughtLink, followLoginLink } from './follow-login-link.ts';
