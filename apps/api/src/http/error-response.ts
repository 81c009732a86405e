import { statusOf, validationBody } from '@innkeeper/contract';
import { DatabaseUnreachableError, DomainError } from '@innkeeper/domain';
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

/** The body of an expected refusal. */
function bodyOf({ code, message, fields }: DomainError): unknown {
  if (code === 'quota_exceeded' || code === 'precondition_failed') return { error: message };
  if (code === 'not_found') return { message: 'Not found.' };
  return fields === undefined ? { message } : validationBody(fields);
}

/** Converts any thrown error into a response. An unexpected error reveals no details. */
export function errorResponse(error: unknown, requestId: string): Response {
  if (error instanceof DomainError) {
    const headers = error.code === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : undefined;
    return jsonResponse(statusOf[error.code], bodyOf(error), headers);
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
