import { type Answer, type AskVerb, asks, type Question, subjects } from '@innkeeper/protocol';
import type { Msg, NatsConnection, Subscription } from 'nats';
import type { Log } from '../node/log.ts';
import type { Unsubscribe } from './control-plane.ts';

export type AskHandler<V extends AskVerb> = (question: Question<V>) => Promise<Answer<V>>;

/** Further concurrent questions stay unanswered; the control plane continues without the answer. */
const MOST_AT_ONCE = 8;

/**
 * Answers the questions that have a handler, and subscribes to no others, so that NATS reports "no responders" to the
 * sender at once. A malformed question or a failing handler stops nothing; the question stays unanswered.
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

  /** Registers the handler of this verb. It replaces an earlier one. */
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

  /** Subscribes over a new connection. It replaces the previous one, which is closed. */
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

/** Undefined for a malformed question. */
function parseQuestion(verb: AskVerb, message: Msg): Question<AskVerb> | undefined {
  try {
    return asks[verb].question.parse(message.json());
  } catch {
    return undefined;
  }
}
