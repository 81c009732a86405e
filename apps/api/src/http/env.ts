import type { HttpBindings } from '@hono/node-server';
import type { KeyClaim, SessionIdentity, TokenIdentity, UploadedArchive } from '@innkeeper/services';
import type { Context } from 'hono';
import type { JsonAnswer } from './json-response.ts';

/** Variables that the steps of a request pass on to each other. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Address of the client, for the allowlist and the audit log. */
    address: string;
    /** Template of the matched path, for logs and metrics. Unset if no route matched. */
    route: string | undefined;
    /** True for requests of the panel: errors are rendered as HTML pages. */
    isPage: boolean | undefined;
    /** Headers of the answer, in addition to those that every answer has. */
    headers: Record<string, string>;
    /**
     * The route's answer. If the route sets its own response (a redirect, a document, a refusal), that response takes
     * precedence.
     */
    answer: JsonAnswer | undefined;
    identity: TokenIdentity | undefined;
    /** Set on the panel's pages. */
    signedInAs: SessionIdentity | undefined;
    /** Claim of the request's Idempotency-Key. */
    claim: KeyClaim | undefined;
    /** The file of the request's form. */
    upload: UploadedArchive | undefined;
    /** Sets the request's deadline to `timeoutMs` from now. */
    extendDeadline: (timeoutMs: number) => void;
  };
}

/** One step of a request. An error that it throws becomes the answer. */
export type Step = (c: Context<Env>) => Promise<void>;
