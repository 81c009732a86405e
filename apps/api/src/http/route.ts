import type { EndpointName, endpoints, ViewOf } from '@innkeeper/contract';
import type { OperatorContext, TokenIdentity, UploadedArchive, VisitorContext } from '@innkeeper/services';
import type { z } from 'zod';
import type { Deps, Services } from '../deps.ts';

type Table = typeof endpoints;
type Parsed<Name extends EndpointName, Part extends string> =
  Table[Name] extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;
/** A public endpoint has no identity. */
type Guarded<Name extends EndpointName, T> = Table[Name]['access'] extends 'public' | 'signed'
  ? undefined
  : T;

/** A request that passed its guards. */
export interface Asked<Name extends EndpointName> {
  deps: Deps;
  services: Services;
  params: Parsed<Name, 'params'>;
  identity: Guarded<Name, TokenIdentity>;
  context: Guarded<Name, OperatorContext>;
  visitor: Table[Name]['access'] extends 'signed' ? Visitor : undefined;
}

/** The visitor who follows a signed URL. */
export interface Visitor extends VisitorContext {
  /** Token of the browser's session. */
  session: string | undefined;
  /** Whether the browser uses HTTPS, to this process or to a trusted proxy. */
  isSecure: boolean;
  /** True for HEAD: the client reads where the URL leads, but does not follow it. */
  onlyLooks: boolean;
}

/** A request that passed its guards, with its parsed fields. */
export interface RouteRequest<Name extends EndpointName> extends Asked<Name> {
  query: Parsed<Name, 'query'>;
  body: Parsed<Name, 'body'>;
  /** The completely received file. */
  upload: Table[Name] extends { upload: string } ? UploadedArchive : undefined;
}

/** Body of an endpoint's success answer. */
type AnswerOf<Name extends EndpointName> = Table[Name]['response'] extends z.ZodType
  ? ViewOf<Table[Name]['response']>
  : null;

/** An answer with another status of the endpoint, and its shape. */
export class OtherStatus<Body> {
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    this.status = status;
    this.body = body;
  }
}

/** Redirects a browser with 302. */
export class Redirect {
  readonly location: string;
  readonly headers: Record<string, string>;

  /** `headers`: in addition to those that every redirect has. */
  constructor(location: string, headers: Record<string, string>) {
    this.location = location;
    this.headers = headers;
  }
}

type Answered<Name extends EndpointName> = Table[Name]['status'] extends 302
  ? Redirect
  : AnswerOf<Name> | OtherStatus<AnswerOf<Name>>;

export interface Route<Name extends EndpointName> {
  answer(request: RouteRequest<Name>): Promise<Answered<Name>>;
  /**
   * Throws `not_found` if the record of the request does not exist or is not visible, and `forbidden` if a policy
   * forbids the request. Called when a field was refused, because these errors take precedence, and before a file is
   * received. `answer` checks by itself. `fields` are the fields as sent.
   */
  requireRecord?(request: Asked<Name>, fields: unknown): Promise<unknown>;
  /** Only for an endpoint that receives a file: the account of the file. Throws what `requireRecord` throws. */
  uploadAccountId?(request: Asked<Name>): Promise<number>;
}

export type Routes = { readonly [Name in EndpointName]: Route<Name> };
