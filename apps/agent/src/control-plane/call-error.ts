import { status } from '@grpc/grpc-js';
import { ControlPlaneError, type ControlPlaneErrorCode } from './control-plane.ts';

/** What an agent does about each status; any other is a fault that may pass. */
const codes: Readonly<Partial<Record<status, ControlPlaneErrorCode>>> = {
  [status.FAILED_PRECONDITION]: 'superseded',
  [status.UNAUTHENTICATED]: 'unauthenticated',
  [status.PERMISSION_DENIED]: 'unauthenticated',
  [status.NOT_FOUND]: 'not_found',
  [status.INVALID_ARGUMENT]: 'refused',
  [status.OUT_OF_RANGE]: 'refused',
  [status.ALREADY_EXISTS]: 'refused',
  // grpc-js: the message is over the size limit.
  [status.RESOURCE_EXHAUSTED]: 'refused',
};

/** The failure of a call in the agent's words. */
export function controlPlaneErrorOf(method: string, error: unknown): ControlPlaneError {
  if (error instanceof ControlPlaneError) return error;
  // The codec refuses a number that does not fit its field.
  if (error instanceof RangeError) return new ControlPlaneError('refused', `${method}: ${error.message}`);
  const { code, details } = error as { code?: unknown; details?: unknown };
  if (typeof code !== 'number')
    return new ControlPlaneError('unavailable', `${method} failed.`, { cause: error });
  const name = status[code] ?? code;
  return new ControlPlaneError(codes[code as status] ?? 'unavailable', `${method}: ${name}: ${details}`, {
    cause: error,
  });
}
