import type { Answer, AskVerb, Question } from '@innkeeper/protocol';

/**
 * Asks a node what only it can see now. Undefined for one that is away, that does not answer in time, or
 * whose answer has not the shape of one; never rejects.
 */
export type AskNode = <V extends AskVerb>(
  nodeId: number,
  verb: V,
  question: Question<V>,
) => Promise<Answer<V> | undefined>;
