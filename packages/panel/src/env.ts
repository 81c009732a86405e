import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Action } from '@innkeeper/domain';
import type { Brand, SessionIdentity } from '@innkeeper/services';
import type { Context, Hono } from 'hono';
import type { PanelDeps } from './deps.ts';

/**
 * Variables that the steps of a request pass on to each other. The process that mounts the panel sets the first four.
 */
export interface PanelEnv {
  Bindings: HttpBindings & { asCustomer?: AsCustomer; acceptSocket?: AcceptSocket };
  Variables: {
    requestId: string;
    /** Address of the client, for the audit log. */
    address: string;
    /** Template of the matched path, for logs and metrics. */
    route: string | undefined;
    /** Sets the request's deadline to `timeoutMs` from now. */
    extendDeadline: (timeoutMs: number) => void;
    deps: PanelDeps;
    /** Whether the browser uses HTTPS, to this process or to a trusted proxy. */
    isSecure: boolean;
    /** The action whose right a form of this path needs. Undefined: no certain right. */
    actionOfForm: (path: string) => Action | undefined;
    /** Set while an operator is logged in as the signed-in customer. */
    asCustomer: AsCustomer | undefined;
    /** The signed-in user. Undefined for a visitor. */
    signedInAs: SessionIdentity | undefined;
    /** Name, color and logo of the page. Undefined before the session was read. */
    brand: Brand | undefined;
    /** See `csrfToken`. */
    csrfToken: string | undefined;
    /** The fields of a POST that is not an upload. */
    form: Form;
  };
}

/** A WebSocket to a browser. Read messages are strings or buffers, written strings and buffers are messages. */
export interface BrowserSocket extends Duplex {
  /** Ends the connection. `reason`: at most 123 bytes. */
  closeWith(code: number, reason: string): void;
}

/**
 * Set for a request that asks for a WebSocket: returns the answer that accepts it. The process that mounts the panel then
 * makes the handshake, and calls `use`.
 */
export type AcceptSocket = (use: (socket: BrowserSocket) => void) => Response;

/** A request of an operator who is logged in as a customer. See `registerAsCustomer`. */
export interface AsCustomer {
  session_id: number;
  /** Username of the operator. */
  operator: string;
  identity: SessionIdentity;
  /** Looks the session up again. Undefined: it has ended, or that of the operator. */
  find: () => Promise<SessionIdentity | undefined>;
  /** What the process that mounts the panel set for the request. */
  request: Pick<PanelEnv['Variables'], 'requestId' | 'address' | 'extendDeadline'>;
  /** Tells the template of the matched path. */
  noteRoute: (route: string | undefined) => void;
}

/** The submitted fields of a form: `a[]` is an array, `a[key]` an object, anything else a string. */
export type Form = Readonly<Record<string, unknown>>;

export type PanelContext = Context<PanelEnv>;
export type Panel = Hono<PanelEnv>;
