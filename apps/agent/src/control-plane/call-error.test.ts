import { status } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { controlPlaneErrorOf } from './call-error.ts';

const serviceError = (code: status, details = 'why') => Object.assign(new Error(details), { code, details });

it.each([
  [status.UNAVAILABLE, 'unavailable', true],
  [status.DEADLINE_EXCEEDED, 'unavailable', true],
  [status.INTERNAL, 'unavailable', true],
  [status.FAILED_PRECONDITION, 'superseded', false],
  [status.UNAUTHENTICATED, 'unauthenticated', true],
  [status.PERMISSION_DENIED, 'unauthenticated', true],
  [status.NOT_FOUND, 'not_found', false],
  [status.INVALID_ARGUMENT, 'refused', false],
  [status.RESOURCE_EXHAUSTED, 'refused', false],
] as const)('the status %s becomes "%s" (retryable: %s)', (code, expected, retryable) => {
  const error = controlPlaneErrorOf('Hello', serviceError(code));
  expect(error).toMatchObject({ code: expected, retryable });
  expect(error.message).toBe(`Hello: ${status[code]}: why`);
});

it('a number that exceeds its field is a refusal, because a retry is pointless', () => {
  expect(controlPlaneErrorOf('Hello', new RangeError('cpu_count is not a uint32: -1'))).toMatchObject({
    code: 'refused',
    message: 'Hello: cpu_count is not a uint32: -1',
  });
});

it('any other error is retryable and keeps its cause', () => {
  const cause = new TypeError('x');
  expect(controlPlaneErrorOf('Hello', cause)).toMatchObject({ code: 'unavailable', cause });
});
