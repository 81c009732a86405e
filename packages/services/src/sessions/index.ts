export type { NewSession } from './create-session.ts';
export { endAllSessions } from './end-all-sessions.ts';
export { endSession } from './end-session.ts';
export { findSession, type SessionIdentity } from './find-session.ts';
export { listSessions, type SessionView } from './list-sessions.ts';
export { isProven, proveSession } from './prove-session.ts';
export { sweepSessions } from './sweep-sessions.ts';
export { tellSessionEnd } from './tell-session-end.ts';
