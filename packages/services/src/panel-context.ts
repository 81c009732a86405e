import type { SessionMethod } from '@innkeeper/db';
import type { CountAttempt } from './attempt-limits.ts';
import type { EndUser, ServiceContext } from './context.ts';
import type { Signer } from './secrets/signer.ts';

type Shared = Pick<ServiceContext, 'db' | 'now' | 'requestId' | 'sealer'>;

/** A visitor of the panel who is not signed in. Only the connection is known. */
export interface VisitorContext extends Shared {
  signer: Signer;
  address: string;
  /** Untrusted: the browser's User-Agent header. */
  userAgent: string;
  /** Untrusted: the cookie of an earlier sign-in; see `KnownBrowser`. */
  knownBrowser?: string | undefined;
  /** The language of the panel in this browser: that of later mails. */
  language?: string;
  /** Session tokens that the browser sent. A new session ends those sessions. */
  replaces?: readonly string[];
}

/** A signed-in panel user of any role, who acts on its own data. */
export interface UserContext extends Shared {
  actor: Pick<EndUser, 'userId' | 'tokenId' | 'address' | 'operatorUserId'>;
  /** The session of the request. */
  sessionId: number;
  /** Counts attempts, so that a browser that was left open cannot be used to guess codes and passwords. */
  countAttempt: CountAttempt;
}

/** The customer in the panel, with the session of the request. */
export interface EndUserContext
  extends ServiceContext<EndUser>,
    Pick<UserContext, 'sessionId' | 'countAttempt'> {
  sessionMethod: SessionMethod;
}
