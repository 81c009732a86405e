export { type PanelDeps, TooManyAttempts } from './deps.ts';
export type { AcceptSocket, BrowserSocket, PanelEnv } from './env.ts';
export { sessionCookie, sessionToken } from './http/cookies.ts';
export { CSRF_FIELD } from './http/csrf.ts';
export { UPLOAD_PATH } from './pages/apps/deploy.ts';
export { linkPagePath } from './pages/sign-in/login-link.tsx';
export { createPanel } from './panel.ts';
export { answerError, answerMissingPage } from './ui/error-page.tsx';
