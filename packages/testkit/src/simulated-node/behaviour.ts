import type { AccountReport, AccountSpec } from '@innkeeper/protocol';

/** How a simulated node treats its accounts. Every part may be changed while it runs. */
export interface Behaviour {
  /** How long an account takes, ms. */
  delayMs: (spec: AccountSpec) => number;
  /** Whether an account fails: for good, or so that the next pull tries again. */
  fail: (spec: AccountSpec) => 'permanently' | 'retryably' | undefined;
  /** What is sent instead of the honest report; undefined: nothing. */
  tell: (honest: AccountReport, spec: AccountSpec) => AccountReport | undefined;
  /** Whether wakes are heard; otherwise the node polls only. */
  hearsWakes: boolean;
}

export const honestBehaviour: Behaviour = {
  delayMs: () => 0,
  fail: () => undefined,
  tell: (honest) => honest,
  hearsWakes: true,
};
