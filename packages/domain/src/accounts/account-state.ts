import { DomainError } from '../domain-error.ts';

/** Desired states of an account. `terminating` ends when the rows are deleted. */
export const accountStates = ['active', 'suspended', 'terminating'] as const;
export type AccountState = (typeof accountStates)[number];

/** Orders of lists of accounts. */
export const accountOrders = ['oldest', 'newest', 'username'] as const;
export type AccountOrder = (typeof accountOrders)[number];

const transitions = {
  suspend: 'suspended',
  unsuspend: 'active',
  terminate: 'terminating',
} as const satisfies Record<string, AccountState>;

/**
 * The state after a verb; the same state if nothing has to change. Throws `precondition_failed` for an account that is
 * being terminated: it accepts no other verb.
 */
export function nextAccountState(state: AccountState, verb: keyof typeof transitions): AccountState {
  if (verb !== 'terminate') assertChangeable(state);
  return transitions[verb];
}

/** Throws `precondition_failed` for an account that is being terminated: it accepts no changes. */
export function assertChangeable(state: AccountState): void {
  if (state === 'terminating')
    throw new DomainError('precondition_failed', 'This account is being terminated.');
}

/** Throws `forbidden`, with the reason, unless the account's end user may sign in to the panel. */
export function assertMaySignIn(state: AccountState): void {
  if (state === 'suspended') throw new DomainError('forbidden', 'This account is suspended.');
  if (state === 'terminating') throw new DomainError('forbidden', 'This account is being terminated.');
}
