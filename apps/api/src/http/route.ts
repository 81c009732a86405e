import type { EndpointName, endpoints, ViewOf } from '@innkeeper/contract';
import type { OperatorContext, TokenIdentity, UploadedArchive, VisitorContext } from '@innkeeper/services';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';

type Table = typeof endpoints;
type Parsed<Name extends EndpointName, Part extends string> =
  Table[Name] extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;
/** Nobody has said who asks where an endpoint is public. */
type Guarded<Name extends EndpointName, T> = Table[Name]['access'] extends 'public' | 'signed'
  ? undefined
  : T;

/** A request that passed its guards. */
export interface Asked<Name extends EndpointName> {
  deps: Deps;
  params: Parsed<Name, 'params'>;
  identity: Guarded<Name, TokenIdentity>;
  context: Guarded<Name, OperatorContext>;
  visitor: Table[Name]['access'] extends 'signed' ? Visitor : undefined;
}

/** Who follows a signed URL. */
export interface Visitor extends VisitorContext {
  /** Token of the session that the browser has. */
  session: string | undefined;
  /** Whether the browser speaks HTTPS, to us or to a configured proxy. */
  isSecure: boolean;
  /** HEAD: it wants to know where the URL leads, and is not there to go. */
  onlyLooks: boolean;
}

/** A request whose fields were read, too. */
export interface RouteRequest<Name extends EndpointName> extends Asked<Name> {
  query: Parsed<Name, 'query'>;
  body: Parsed<Name, 'body'>;
  /** Arrived as a whole. */
  upload: Table[Name] extends { upload: string } ? UploadedArchive : undefined;
}

/** What an endpoint answers on success. */
export type AnswerOf<Name extends EndpointName> = Table[Name]['response'] extends z.ZodType
  ? ViewOf<z.output<Table[Name]['response']>>
  : null;

/** The answer's shape under one of the endpoint's other statuses. */
export class OtherStatus<Body> {
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    this.status = status;
    this.body = body;
  }
}

/** Leads a browser elsewhere, with 302. */
export class Redirect {
  readonly location: string;
  readonly headers: Record<string, string>;

  /** `headers`: besides those that every redirect has. */
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
   * Throws `not_found` where the record that the request is about does not exist or is not visible, and
   * `forbidden` where a policy is against it. Asked when a field was refused, because that is said
   * first, and before a file is taken; `answer` finds out by itself. `fields` is what was sent.
   */
  requireRecord?(request: Asked<Name>, fields: unknown): Promise<unknown>;
  /** Of an endpoint that takes a file: the account that it is for. Throws what `requireRecord` throws. */
  uploadAccountId?(request: Asked<Name>): Promise<number>;
}

export type Routes = { readonly [Name in EndpointName]: Route<Name> };
