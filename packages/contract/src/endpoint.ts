import type { Ability } from '@innkeeper/domain';
import type { z } from 'zod';
import type { ErrorStatus } from './error-bodies.ts';

/** One endpoint of the API, as everything that is made from the table needs it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string;
  /** `public`, `token` (any valid one), or the ability that a token needs. */
  readonly access: 'public' | 'token' | Ability;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Of a success. */
  readonly status: 200 | 201;
  readonly response: z.ZodType;
  /** Other statuses whose body has the shape of `response`. */
  readonly alsoAnswers?: readonly ErrorStatus[];
  readonly errors: readonly ErrorStatus[];
  readonly summary: string;
}

/** Every path of the API starts with it. */
export const API_PREFIX = '/api/v1';
