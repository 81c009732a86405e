import type { HttpBindings } from '@hono/node-server';
import type { KeyClaim, SessionIdentity, TokenIdentity, UploadedArchive } from '@innkeeper/services';
import type { Context } from 'hono';
import type { JsonAnswer } from './json-response.ts';

/** What the steps of a request hand on to each other. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Of the client, as the allowlist and the audit log see it. */
    address: string;
    /** Template of the matched path, for logs and metrics; unset where none matched. */
    route: string | undefined;
    /** True for requests of the panel: errors are rendered as HTML pages. */
    isPage: boolean | undefined;
    /** Of the answer, besides those that every answer has. */
    headers: Record<string, string>;
    /** What the route answers; a response of its own (a redirect, a document, a refusal) goes before it. */
    answer: JsonAnswer | undefined;
    identity: TokenIdentity | undefined;
    /** On the panel's pages. */
    signedInAs: SessionIdentity | undefined;
    /** Of the request's Idempotency-Key. */
    claim: KeyClaim | undefined;
    /** The file of the request's form. */
    upload: UploadedArchive | undefined;
    /** Gives the request this long from now on. */
    extendDeadline: (timeoutMs: number) => void;
  };
}

/** What is done for a request, or part of it. What it throws becomes the answer. */
export type Step = (c: Context<Env>) => Promise<void>;
