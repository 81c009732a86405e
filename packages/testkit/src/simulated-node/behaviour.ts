import type { AccountReport, AccountSpec, Answer, AskVerb, Question } from '@innkeeper/protocol';
import type { Channel } from '@innkeeper/protocol/wire';

/** How a simulated node treats its accounts. A test may change every part while the node runs. */
export interface Behaviour {
  /** How long applying an account takes, in ms. */
  delayMs: (spec: AccountSpec) => number;
  /** What applying an account waits for after that. */
  hold: (spec: AccountSpec) => Promise<unknown> | undefined;
  /** Whether an account fails: permanently, or so that the next pull retries it. */
  fail: (spec: AccountSpec) => 'permanently' | 'retryably' | undefined;
  /** The report to send instead of the honest one. Undefined: none. */
  tell: (honest: AccountReport, spec: AccountSpec) => AccountReport | undefined;
  /** False: the node ignores wakes and only polls. */
  hearsWakes: boolean;
  /** Current usage of an account. */
  measure: (spec: AccountSpec) => Omit<Answer<'usage'>['accounts'][number], 'account_id'>;
  /** What the program at the end of a channel does. */
  talk: (channel: Channel, question: Question<'open-channel'>) => void;
  /** What the node reports of its own settings. Empty: they are applied. */
  settingsProblem: string;
  /** The answer to send instead of the honest one. A string is sent unchanged. Undefined: no answer. */
  answer: (verb: AskVerb, honest: Answer<AskVerb>, question: Question<AskVerb>) => unknown;
}

export const honestBehaviour: Behaviour = {
  delayMs: () => 0,
  hold: () => undefined,
  fail: () => undefined,
  tell: (honest) => honest,
  hearsWakes: true,
  measure: () => ({ disk_used_mb: 0, bandwidth_used_mb: 0, cpu_used_percent: 0, ram_used_mb: 0 }),
  talk: (channel) => void channel.pipe(channel),
  settingsProblem: '',
  answer: (_verb, honest) => honest,
};
