import type { SessionMethod } from '@innkeeper/db';
import type { EndUser, ServiceContext } from './context.ts';
import type { Signer } from './secrets/signer.ts';
import type { CountAttempt } from './sign-in/attempt-limits.ts';

type Shared = Pick<ServiceContext, 'db' | 'now' | 'requestId' | 'sealer'>;

/** Somebody at the panel's door, of whom only the connection is known. */
export interface VisitorContext extends Shared {
  signer: Signer;
  address: string;
  /** The browser's own word. */
  userAgent: string;
  /** What the browser brought of an earlier sign-in: see `KnownBrowser`. */
  knownBrowser?: string | undefined;
  /** Tokens of sessions that the browser has: a new session ends them. */
  replaces?: readonly string[];
}

/** A panel user, of any role, who is signed in and acts on what is its own. */
export interface UserContext extends Shared {
  actor: { userId: number; tokenId: null; address: string };
  /** The session that the request came with. */
  sessionId: number;
  /** A browser that was left open is no way to try codes and passwords. */
  countAttempt: CountAttempt;
}

/** The customer in the panel, with the session that the request came with. */
export interface EndUserContext
  extends ServiceContext<EndUser>,
    Pick<UserContext, 'sessionId' | 'countAttempt'> {
  sessionMethod: SessionMethod;
}
