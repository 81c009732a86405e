import { status } from '@grpc/grpc-js';
import { DomainError } from '@innkeeper/domain';
import { expect, it } from 'vitest';
import { callFailureOf } from './status.ts';

it.each([
  ['invalid', status.INVALID_ARGUMENT],
  ['unauthenticated', status.UNAUTHENTICATED],
  ['forbidden', status.PERMISSION_DENIED],
  ['not_found', status.NOT_FOUND],
  ['conflict', status.ALREADY_EXISTS],
  ['quota_exceeded', status.RESOURCE_EXHAUSTED],
  ['precondition_failed', status.FAILED_PRECONDITION],
  ['unavailable', status.UNAVAILABLE],
] as const)('the refusal "%s" has its sentence and status %i', (code, expected) => {
  expect(callFailureOf(new DomainError(code, 'Why.'))).toEqual({
    code: expected,
    details: 'Why.',
    isDefect: false,
  });
});

it('an unexpected error shows no details', () => {
  expect(callFailureOf(new TypeError('password = hush'))).toEqual({
    code: status.INTERNAL,
    details: 'Internal error.',
    isDefect: true,
  });
});
