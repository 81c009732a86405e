import { DomainError } from '../domain-error.ts';

/** What the control plane wants of an account. `terminating` ends with the rows gone. */
export const accountStates = ['active', 'suspended', 'terminating'] as const;
export type AccountState = (typeof accountStates)[number];

const transitions = {
  suspend: 'suspended',
  unsuspend: 'active',
  terminate: 'terminating',
} as const satisfies Record<string, AccountState>;

/**
 * The state after a verb; the same state where there is nothing to do. Throws `precondition_failed` for an
 * account that is being terminated: nothing but its end is left to it.
 */
export function nextAccountState(state: AccountState, verb: keyof typeof transitions): AccountState {
  if (verb !== 'terminate') assertChangeable(state);
  return transitions[verb];
}

/** Throws `precondition_failed` for an account that is being terminated: it takes no change any more. */
export function assertChangeable(state: AccountState): void {
  if (state === 'terminating')
    throw new DomainError('precondition_failed', 'This account is being terminated.');
}

/** Throws `forbidden`, with the reason, unless the account's end user may sign in to the panel. */
export function assertMaySignIn(state: AccountState): void {
  if (state === 'suspended') throw new DomainError('forbidden', 'This account is suspended.');
  if (state === 'terminating') throw new DomainError('forbidden', 'This account is being terminated.');
}
