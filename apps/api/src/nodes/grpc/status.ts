import { status } from '@grpc/grpc-js';
import { DatabaseUnreachableError, DomainError, type DomainErrorCode } from '@innkeeper/domain';

const statuses: Readonly<Record<DomainErrorCode, status>> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  quota_exceeded: status.RESOURCE_EXHAUSTED,
  precondition_failed: status.FAILED_PRECONDITION,
  unavailable: status.UNAVAILABLE,
};

export interface CallFailure {
  code: status;
  details: string;
  /** Not a refusal: log it with its whole chain of causes. */
  isDefect: boolean;
}

/** Maps the error of a failed call to its status. An unexpected error reveals no details. */
export function callFailureOf(error: unknown): CallFailure {
  if (error instanceof DomainError)
    return { code: statuses[error.code], details: error.message, isDefect: false };
  if (error instanceof DatabaseUnreachableError)
    return { code: status.UNAVAILABLE, details: 'The database cannot be reached.', isDefect: true };
  return { code: status.INTERNAL, details: 'Internal error.', isDefect: true };
}
