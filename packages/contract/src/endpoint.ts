import type { Ability } from '@innkeeper/domain';
import type { z } from 'zod';
import type { ErrorStatus } from './error-bodies.ts';

/** One endpoint of the API, as everything that is made from the table needs it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string;
  /**
   * `public`, `signed` (the URL carries its own proof), `token` (any valid one), or the ability that a token
   * needs.
   */
  readonly access: 'public' | 'signed' | 'token' | Ability;
  /** Which of the rate limits counts its requests. */
  readonly limit: RateLimitName;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Name of the file part, where the body is a multipart form. */
  readonly upload?: string;
  /**
   * Seconds for which a success is given again to the same Idempotency-Key, where it is worth nothing later;
   * otherwise a day.
   */
  readonly answerLastsS?: number;
  /** Of a success. */
  readonly status: 200 | 201 | 302;
  /** Null: a success has no body. */
  readonly response: z.ZodType | null;
  /** Other statuses whose body has the shape of `response`. */
  readonly alsoAnswers?: readonly ErrorStatus[];
  readonly errors: readonly ErrorStatus[];
  readonly summary: string;
}

/**
 * Requests a minute, in a window that begins with the first: of a user, whatever token is used, or of a
 * client's address. Configuration may set others.
 */
export const rateLimits = {
  user: { per: 'user', requests: 60 },
  health: { per: 'address', requests: 60 },
  sso: { per: 'address', requests: 30 },
} as const;

export type RateLimitName = keyof typeof rateLimits;

/** Every path of the API starts with it. */
export const API_PREFIX = '/api/v1';
