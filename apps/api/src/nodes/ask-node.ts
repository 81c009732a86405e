import { type Answer, type AskVerb, parseAnswer, type Question, subjects } from '@innkeeper/protocol';
import type { AskNode } from '@innkeeper/services';
import type { Metrics } from '../http/server/metrics.ts';
import type { Queue } from './nats-connection.ts';

/** An agent answers from memory, so a slower agent counts as unreachable. */
const TIMEOUT_MS = 2_000;

/** Sends questions to nodes over NATS. Answers are untrusted and parsed as such. */
export function createAskNode(queue: Pick<Queue, 'ask'>, metrics: Pick<Metrics, 'asks'>): AskNode {
  return async <V extends AskVerb>(
    nodeId: number,
    verb: V,
    question: Question<V>,
  ): Promise<Answer<V> | undefined> => {
    const reply = await queue.ask(subjects.nodeAsk(nodeId, verb), question, {
      replyPrefix: subjects.nodeReplyPrefix(nodeId),
      timeoutMs: TIMEOUT_MS,
    });
    const answer = reply.outcome === 'answered' ? parseAnswer(verb, reply.message) : undefined;
    const isUnreadable = reply.outcome === 'answered' && answer === undefined;
    metrics.asks.inc({ verb, result: isUnreadable ? 'unreadable' : reply.outcome });
    return answer;
  };
}
