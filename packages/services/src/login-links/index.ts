export { createLoginLink, type LoginLink } from './create-login-link.ts';
export { type BroughtLink, checkLoginLink, followLoginLink } from './follow-login-link.ts';
