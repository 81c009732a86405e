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
