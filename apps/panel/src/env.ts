import type { HttpBindings } from '@hono/node-server';
import type { SessionIdentity } from '@innkeeper/services';
import type { Context, Hono } from 'hono';
import type { PanelDeps } from './deps.ts';

/** What the steps of a request hand on to each other. The first four are set by the process that mounts the panel. */
export interface PanelEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Of the client, as the audit log sees it. */
    address: string;
    /** Template of the matched path, for logs and metrics. */
    route: string | undefined;
    /** Gives the request this long from now on. */
    extendDeadline: (timeoutMs: number) => void;
    deps: PanelDeps;
    /** Whether the browser speaks HTTPS, to us or to a configured proxy. */
    isSecure: boolean;
    /** Who is signed in; undefined for a visitor. */
    signedInAs: SessionIdentity | undefined;
    /** See `csrfToken`. */
    csrfToken: string | undefined;
    /** The fields of a POST that is no upload. */
    form: Form;
  };
}

/** The submitted fields of a form: `a[]` is an array, `a[key]` an object, anything else a string. */
export type Form = Readonly<Record<string, unknown>>;

export type PanelContext = Context<PanelEnv>;
export type Panel = Hono<PanelEnv>;
