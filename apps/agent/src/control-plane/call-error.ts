import { status } from '@grpc/grpc-js';
import { ControlPlaneError, type ControlPlaneErrorCode } from './control-plane.ts';

/** The agent's error code for each gRPC status. Any other status is a fault that may pass. */
const codes: Readonly<Partial<Record<status, ControlPlaneErrorCode>>> = {
  [status.FAILED_PRECONDITION]: 'superseded',
  [status.UNAUTHENTICATED]: 'unauthenticated',
  [status.PERMISSION_DENIED]: 'unauthenticated',
  [status.NOT_FOUND]: 'not_found',
  [status.INVALID_ARGUMENT]: 'refused',
  [status.OUT_OF_RANGE]: 'refused',
  [status.ALREADY_EXISTS]: 'refused',
  // grpc-js: the message exceeds the size limit.
  [status.RESOURCE_EXHAUSTED]: 'refused',
};

/** Converts the failure of a call to a ControlPlaneError. */
export function controlPlaneErrorOf(method: string, error: unknown): ControlPlaneError {
  if (error instanceof ControlPlaneError) return error;
  // The codec throws RangeError for a number that does not fit its field.
  if (error instanceof RangeError) return new ControlPlaneError('refused', `${method}: ${error.message}`);
  const { code, details } = error as { code?: unknown; details?: unknown };
  if (typeof code !== 'number')
    return new ControlPlaneError('unavailable', `${method} failed.`, { cause: error });
  const name = status[code] ?? code;
  return new ControlPlaneError(codes[code as status] ?? 'unavailable', `${method}: ${name}: ${details}`, {
    cause: error,
  });
}
