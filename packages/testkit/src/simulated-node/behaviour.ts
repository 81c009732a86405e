import type { AccountReport, AccountSpec, Answer, AskVerb, Question } from '@innkeeper/protocol';

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
  /** What an account uses now. */
  measure: (spec: AccountSpec) => Omit<Answer<'usage'>['accounts'][number], 'account_id'>;
  /** What is answered instead of the honest answer; a string goes out as it is; undefined: nothing is. */
  answer: (verb: AskVerb, honest: Answer<AskVerb>, question: Question<AskVerb>) => unknown;
}

export const honestBehaviour: Behaviour = {
  delayMs: () => 0,
  fail: () => undefined,
  tell: (honest) => honest,
  hearsWakes: true,
  measure: () => ({ disk_used_mb: 0, bandwidth_used_mb: 0, cpu_used_percent: 0, ram_used_mb: 0 }),
  answer: (_verb, honest) => honest,
};
