import type { DomainErrorCode } from '@innkeeper/domain';
import { z } from 'zod';

export const messageBody = z.strictObject({ message: z.string() });
export const validationErrorBody = z.strictObject({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string()).min(1)),
});
export const serviceErrorBody = z.strictObject({ error: z.string() });
export const failureBody = z.strictObject({ message: z.string(), request_id: z.string() });

/** The body of each status that is not a success. */
export const errorBodies = {
  400: messageBody,
  401: messageBody,
  403: messageBody,
  404: messageBody,
  405: messageBody,
  409: messageBody,
  413: messageBody,
  422: z.union([validationErrorBody, messageBody, serviceErrorBody]),
  429: messageBody,
  500: failureBody,
  503: z.union([messageBody, failureBody]),
} as const;

export type ErrorStatus = keyof typeof errorBodies;

/** Status of every expected refusal, in API v1 and on the panel's pages. */
export const statusOf = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  quota_exceeded: 422,
  precondition_failed: 422,
  unavailable: 503,
} as const satisfies Record<DomainErrorCode, ErrorStatus>;
