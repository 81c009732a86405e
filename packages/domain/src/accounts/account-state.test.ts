import { expect, test } from 'vitest';
import { assertChangeable, assertMaySignIn, nextAccountState } from './account-state.ts';

test.each([
  ['active', 'suspend', 'suspended'],
  ['suspended', 'suspend', 'suspended'],
  ['suspended', 'unsuspend', 'active'],
  ['active', 'unsuspend', 'active'],
  ['active', 'terminate', 'terminating'],
  ['suspended', 'terminate', 'terminating'],
  ['terminating', 'terminate', 'terminating'],
] as const)('%s, %s: %s', (state, verb, next) => {
  expect(nextAccountState(state, verb)).toBe(next);
});

test('an account that is being terminated accepts only another termination', () => {
  for (const verb of ['suspend', 'unsuspend'] as const)
    expect(() => nextAccountState('terminating', verb)).toThrow('This account is being terminated.');
  expect(() => assertChangeable('terminating')).toThrow(
    expect.objectContaining({ code: 'precondition_failed' }),
  );
  expect(() => assertChangeable('suspended')).not.toThrow();
});

test('only the end user of an active account may sign in; the refusal names the state', () => {
  expect(() => assertMaySignIn('active')).not.toThrow();
  for (const [state, message] of [
    ['suspended', 'This account is suspended.'],
    ['terminating', 'This account is being terminated.'],
  ] as const)
    expect(() => assertMaySignIn(state)).toThrow(expect.objectContaining({ code: 'forbidden', message }));
});
