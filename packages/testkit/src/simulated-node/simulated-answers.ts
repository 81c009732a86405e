import { type AccountSpec, type Answer, type AskVerb, asks, type Question } from '@innkeeper/protocol';
import type { Behaviour } from './behaviour.ts';

/**
 * Returns the answer of a simulated node to a question about its accounts: the honest answer, or the one from its
 * behaviour. Undefined: no answer.
 */
export function answerQuestion(
  verb: AskVerb,
  question: unknown,
  behaviour: Behaviour,
  accounts: ReadonlyMap<number, AccountSpec>,
): unknown {
  const parsed = asks[verb].question.safeParse(question);
  if (!parsed.success) return undefined;
  const honest = honestAnswer(verb, parsed.data as Question<AskVerb>, behaviour, accounts);
  return behaviour.answer(verb, honest, parsed.data);
}

function honestAnswer(
  verb: AskVerb,
  question: Question<AskVerb>,
  behaviour: Behaviour,
  accounts: ReadonlyMap<number, AccountSpec>,
): Answer<AskVerb> {
  if (verb === 'usage') return usageOf(question as Question<'usage'>, behaviour, accounts);
  if (verb === 'account-mail') return { mail: null, waits_because: '' };
  if (verb === 'mail-test') return { to: null, sent_at: null, state: 'none', answer: '' };
  if (verb !== 'open-channel')
    return { lines: [`The log of app ${(question as Question<'app-log'>).app_id}.`] };
  const { account_id } = question as Question<'open-channel'>;
  return { refused: accounts.get(account_id)?.desired_state === 'active' ? null : 'inactive' };
}

function usageOf(
  { account_ids }: Question<'usage'>,
  { measure }: Behaviour,
  accounts: ReadonlyMap<number, AccountSpec>,
): Answer<'usage'> {
  return {
    month: new Date().toISOString().slice(0, 7),
    accounts: account_ids.flatMap((account_id) => {
      const spec = accounts.get(account_id);
      return spec === undefined ? [] : [{ account_id, ...measure(spec) }];
    }),
  };
}
