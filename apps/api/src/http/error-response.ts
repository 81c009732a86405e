import { validationBody } from '@innkeeper/contract';
import { DatabaseUnreachableError } from '@innkeeper/db';
import { DomainError, type DomainErrorCode } from '@innkeeper/domain';
import { jsonResponse } from './json-response.ts';

/** A refusal that exists only in HTTP, with its status and its headers. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
  }
}

/** The node refused a write permanently. The message is safe to show to the caller. */
export class NodeRefusedError extends Error {
  override name = 'NodeRefusedError';
  /** The field of the request that was refused. Null: the fault is the node's. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}

type Shape = (error: DomainError) => { status: number; body: unknown; headers?: Record<string, string> };

const message =
  (status: number, headers?: Record<string, string>): Shape =>
  (error) => ({ status, body: { message: error.message }, ...(headers === undefined ? {} : { headers }) });

/** Status and body of every expected refusal. */
const shapes: Record<DomainErrorCode, Shape> = {
  invalid: (error) => ({
    status: 422,
    body: error.fields === undefined ? { message: error.message } : validationBody(error.fields),
  }),
  unauthenticated: message(401, { 'WWW-Authenticate': 'Bearer' }),
  forbidden: message(403),
  not_found: () => ({ status: 404, body: { message: 'Not found.' } }),
  conflict: message(409),
  quota_exceeded: (error) => ({ status: 422, body: { error: error.message } }),
  precondition_failed: (error) => ({ status: 422, body: { error: error.message } }),
  unavailable: message(503),
};

/** Converts any thrown error into a response. An unexpected error reveals no details. */
export function errorResponse(error: unknown, requestId: string): Response {
  if (error instanceof DomainError) {
    const { status, body, headers } = shapes[error.code](error);
    return jsonResponse(status, body, headers);
  }
  if (error instanceof HttpError)
    return jsonResponse(error.status, { message: error.message }, error.headers);
  if (error instanceof DatabaseUnreachableError) {
    return jsonResponse(503, { message: 'Service Unavailable', request_id: requestId });
  }
  if (error instanceof NodeRefusedError && error.field !== null)
    return jsonResponse(422, validationBody({ [error.field]: [error.message] }));
  const text = error instanceof NodeRefusedError ? error.message : 'Server Error';
  return jsonResponse(500, { message: text, request_id: requestId });
}
