import { type Answer, type AskVerb, asks, type Question, subjects } from '@innkeeper/protocol';
import type { Msg, NatsConnection, Subscription } from 'nats';
import type { Log } from '../node/log.ts';
import type { Unsubscribe } from './control-plane.ts';

export type AskHandler<V extends AskVerb> = (question: Question<V>) => Promise<Answer<V>>;

/** What more is asked meanwhile is answered with nothing: the asker goes on without. */
const MOST_AT_ONCE = 8;

/**
 * Answers the questions that somebody here can answer, and hears no others: who asks them is told at once
 * that nobody listens. Nothing that is asked, and no handler that fails, ends anything; it stays unanswered.
 */
export class NatsAnswers {
  readonly #handlers = new Map<AskVerb, AskHandler<AskVerb>>();
  readonly #subscriptions = new Map<AskVerb, Subscription>();
  readonly #log: Log;
  #attached: { connection: NatsConnection; nodeId: number } | undefined;
  #underWay = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** From now on `handler` answers this verb, instead of an earlier one. */
  on<V extends AskVerb>(verb: V, handler: AskHandler<V>): Unsubscribe {
    const own = handler as unknown as AskHandler<AskVerb>;
    this.#handlers.set(verb, own);
    this.#listen(verb);
    return () => {
      if (this.#handlers.get(verb) !== own) return;
      this.#handlers.delete(verb);
      this.#subscriptions.get(verb)?.unsubscribe();
      this.#subscriptions.delete(verb);
    };
  }

  /** Listens over a new connection, in place of the one before, which is closed. */
  attach(connection: NatsConnection, nodeId: number): void {
    this.#attached = { connection, nodeId };
    this.#subscriptions.clear();
    for (const verb of this.#handlers.keys()) this.#listen(verb);
  }

  #listen(verb: AskVerb): void {
    if (this.#attached === undefined || this.#subscriptions.has(verb)) return;
    const { connection, nodeId } = this.#attached;
    if (connection.isClosed()) return;
    const replies = `${subjects.nodeReplyPrefix(nodeId)}.`;
    const subscription = connection.subscribe(subjects.nodeAsk(nodeId, verb), {
      callback: (error, message) => {
        if (error === null && message.reply?.startsWith(replies)) void this.#answer(verb, message);
      },
    });
    this.#subscriptions.set(verb, subscription);
  }

  async #answer(verb: AskVerb, message: Msg): Promise<void> {
    if (this.#underWay >= MOST_AT_ONCE) return;
    this.#underWay += 1;
    try {
      const question = parseQuestion(verb, message);
      const answer = question && (await this.#handlers.get(verb)?.(question));
      if (answer !== undefined) message.respond(JSON.stringify(answer));
    } catch (error) {
      this.#log.warn({ err: error, verb }, 'The agent could not answer a question of the control plane.');
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Undefined for what is no question of this kind. */
function parseQuestion(verb: AskVerb, message: Msg): Question<AskVerb> | undefined {
  try {
    return asks[verb].question.parse(message.json());
  } catch {
    return undefined;
  }
}
