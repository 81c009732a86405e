import type { Ability } from '@innkeeper/domain';
import type { z } from 'zod';
import type { ErrorStatus } from './error-bodies.ts';

/** One endpoint of the API. Routes, tests and the OpenAPI document are built from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below /api/v1, with `{name}` for parameters. */
  readonly path: string;
  /**
   * `public`, `signed` (the URL carries its own proof), `token` (any valid one), or the ability that a token
   * needs.
   */
  readonly access: 'public' | 'signed' | 'token' | Ability;
  /** Name of the rate limit that counts the requests. */
  readonly limit: RateLimitName;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Name of the file part, if the body is a multipart form. */
  readonly upload?: string;
  /**
   * Seconds for which a retry with the same Idempotency-Key returns the stored success. Default: 24 hours. Shorter for
   * responses that expire.
   */
  readonly answerLastsS?: number;
  /** HTTP status of a success. */
  readonly status: 200 | 201 | 302;
  /** Null: a success has no body. */
  readonly response: z.ZodType | null;
  /** Error statuses whose body has the shape of `response`. */
  readonly alsoAnswers?: readonly ErrorStatus[];
  readonly errors: readonly ErrorStatus[];
  readonly summary: string;
}

/**
 * Requests per minute: per user (all tokens together) or per client IP address. The window starts at the first
 * request. The configuration can set other limits.
 */
export const rateLimits = {
  user: { per: 'user', requests: 60 },
  health: { per: 'address', requests: 60 },
  sso: { per: 'address', requests: 30 },
} as const;

export type RateLimitName = keyof typeof rateLimits;

/** Prefix of every path of the API. */
export const API_PREFIX = '/api/v1';

/** Parsed fields of a request, as a service takes them. A field that can be undefined can be omitted. */
export type InputOf<Schema extends z.ZodType> = Omittable<z.output<Schema>>;

type Omittable<T> = T extends unknown
  ? { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
      [Key in keyof T as undefined extends T[Key] ? Key : never]?: T[Key];
    }
  : never;
