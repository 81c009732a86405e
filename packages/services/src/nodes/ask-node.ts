import type { Answer, AskVerb, Question } from '@innkeeper/protocol';

/**
 * Asks a node for data that only the node has at this moment. Undefined if the node is offline, does not answer before
 * the timeout, or sends a malformed answer. Never rejects.
 */
export type AskNode = <V extends AskVerb>(
  nodeId: number,
  verb: V,
  question: Question<V>,
) => Promise<Answer<V> | undefined>;
